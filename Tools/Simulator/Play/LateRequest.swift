// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// A request that arrives at the server some time after it left.
struct LateRequest {
  /// The request, with the stamp of its leaving.
  var request: LoopbackRequest
  /// When the engine began to watch for it; a request may wait for others before it leaves.
  var madeAt: Date
}
