// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

extension BookkeepingKey where Content == String? {
  /// Identifies this store, even if another file takes its place.
  static var storeID: Self { Self(name: "store", initial: nil) }
}

/// Whose listings a run makes: this store's, of this server, for this user.
struct ListingOwner {
  private let identity: String
  private let clientKeyField: String

  fileprivate init(_ identity: String, _ context: StageContext) {
    self.identity = identity
    clientKeyField = context.options.clientKeyField
  }

  /// The scope of a listing of a class.
  func scope(of entity: Entity) throws(SyncError) -> ListingScope {
    do {
      return try ListingScope(identity: identity, entity: entity, clientKeyField: clientKeyField)
    } catch {
      throw SyncError(error)
    }
  }
}

extension StageContext {
  /// The owner of all listings of the run.
  func listingOwner() throws(SyncError) -> ListingOwner {
    let (binding, knownID) = try read { reader throws(StoreError) in
      (try reader.state(.binding), try reader.state(.storeID))
    }
    let user = binding?.userID ?? "nobody"
    let storeID: String = if let knownID { knownID } else { try newStoreID() }
    return ListingOwner("\(server.identity) \(user) \(storeID)", self)
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
