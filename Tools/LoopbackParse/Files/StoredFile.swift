// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A stored file.
struct StoredFile: Sendable {
  let bytes: [UInt8]
}
