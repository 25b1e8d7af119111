// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// The engine's knowledge about a server.
struct ServerCapabilities: Codable, Equatable {
  /// Whether the server stores a create under its given id; nil while that is unknown.
  var allowsCustomIDs: Bool?
  /// Whether a batch was answered correctly.
  var isBatchProven = false
  /// Batches do not work until this time of the environment's clock; then they are tried again.
  var batchBrokenUntil: Timestamp?
  /// The greatest number of requests in a batch, if the server refused more.
  var batchLimit: Int?
  /// The classes whose deletion log was of no use, and the times of the environment's clock at which it is tried again.
  var withoutLogUntil: [String: Timestamp]?
  /// The same for the classes in which the server's function for deletions was of no use.
  var withoutFunctionUntil: [String: Timestamp]?
}
