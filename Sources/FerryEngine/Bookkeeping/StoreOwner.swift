// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// Whose data a store holds.
struct StoreOwner: Codable, Equatable {
  var server: String
  var userID: String?
}
