// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryEngine
public import Foundation

/// The place of one user's store: a folder with a database file and a staging folder.
public struct StorePlace: Sendable, Equatable {
  /// The folder, which has the user's data alone.
  public let folder: URL
  let belongsToUser: Bool

  /// The file of the store.
  public var database: URL { Self.database(in: folder) }
  /// The folder for the server's answers.
  public var staging: URL { folder.appending(path: "staging", directoryHint: .isDirectory) }
  /// The previous owners from which a sync of this store may take it over; give it to `startSync(_:comparing:adopting:confirming:)`.
  ///
  /// A user's store belonged to nobody before only if `SyncStores.adopt(by:)` gave it to that user.
  public var adopting: Set<StoreAdoption> { belongsToUser ? [.anonymousData] : [] }

  static func database(in folder: URL) -> URL { folder.appending(path: "store.sqlite") }
}
