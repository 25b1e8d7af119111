// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

extension BookkeepingKey where Content == String? {
  /// Identifies this store, even if another file takes its place.
  static var storeID: Self { Self(name: "store", initial: nil) }
}

extension StageContext {
  /// The scope of a listing of a class: this store, this server, this user.
  func scope(of entity: Entity) throws(SyncError) -> ListingScope {
    let (binding, knownID) = try read { reader throws(StoreError) in
      (try reader.state(.binding), try reader.state(.storeID))
    }
    let user = binding?.userID ?? "nobody"
    let storeID: String = if let knownID { knownID } else { try newStoreID() }
    do {
      return try ListingScope(
        identity: "\(server.identity) \(user) \(storeID)", entity: entity,
        clientKeyField: options.clientKeyField)
    } catch {
      throw SyncError(error)
    }
  }

  private func newStoreID() throws(SyncError) -> String {
    let id = environment.mintID()
    try change(.storeID) { $0 = id }
    return id
  }
}
