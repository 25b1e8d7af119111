// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

extension BookkeepingKey where Content == String? {
  /// Identifies this store, even if another file takes its place.
  static var storeID: Self { Self(name: "store", initial: nil) }
}

extension StageContext {
  /// The owner of all listings of the run.
  func listingOwner() throws(SyncError) -> ListingOwner {
    let (binding, knownID) = try read { reader throws(StoreError) in
      (try reader.state(.binding), try reader.state(.storeID))
    }
    let user = binding?.userID ?? "nobody"
    let storeID: String = if let knownID { knownID } else { try newStoreID() }
    return ListingOwner(
      identity: "\(server.identity) \(user) \(storeID)", clientKeyField: options.clientKeyField)
  }

  /// The scope of a listing of a class.
  func scope(of entity: Entity) throws(SyncError) -> ListingScope {
    try listingOwner().scope(of: entity)
  }

  private func newStoreID() throws(SyncError) -> String {
    let id = environment.mintID()
    try change(.storeID) { $0 = id }
    return id
  }
}
