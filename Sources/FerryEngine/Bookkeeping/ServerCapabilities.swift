// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// What the engine remembers about a server.
struct ServerCapabilities: Codable, Equatable {
  /// Whether the server stores a create under the id it came with; nil while that is not known.
  var allowsCustomIDs: Bool?
  /// A batch was answered as it should be.
  var isBatchProven = false
  /// Batches do not work; tried again after this time of the environment's clock.
  var batchBrokenUntil: Timestamp?
  /// The most requests in one batch, where the server refused more.
  var batchLimit: Int?
}
