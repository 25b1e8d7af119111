// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

/// The store, the server and the user of a run: pages that another one listed are not imported.
struct ListingOwner {
  /// The store, the server and the user, as one text.
  let identity: String
  /// The field with Ferry's key of a create.
  let clientKeyField: String

  /// The scope of a listing of a class.
  func scope(of entity: Entity) throws(SyncError) -> ListingScope {
    do {
      return try ListingScope(identity: identity, entity: entity, clientKeyField: clientKeyField)
    } catch {
      throw SyncError(error)
    }
  }
}
