// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// The server and user to which a store is bound.
struct StoreOwner: Codable, Equatable {
  var server: String
  var userID: String?
}
