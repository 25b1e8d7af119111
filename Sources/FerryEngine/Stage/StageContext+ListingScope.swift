// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

extension BookkeepingKey where Content == String? {
  /// Tells this store from any other, also from one that is put in its place.
  static var storeID: Self { Self(name: "store", initial: nil) }
}

extension StageContext {
  /// What a listing of a class is of, in this store, from this server, as this user.
  func scope(of entity: Entity) throws -> ListingScope {
    let (binding, storeID) = try store.syncRead {
      (try $0.state(.binding), try $0.state(.storeID))
    }
    let user = binding?.userID ?? "nobody"
    return try ListingScope(
      identity: "\(server.identity) \(user) \(try storeID ?? newStoreID())", entity: entity,
      clientKeyField: options.clientKeyField)
  }

  private func newStoreID() throws -> String {
    let id = environment.mintID()
    try store.sync(.normal) { try $0.change(.storeID) { $0 = id } }
    return id
  }
}
