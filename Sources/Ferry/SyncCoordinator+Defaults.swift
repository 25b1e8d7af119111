// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
public import FerryEngine
public import FerryModel
public import FerryParse
import FerryPlanning
public import FerryStore
public import Foundation

extension SyncCoordinator {
  /// Makes a coordinator that uses libcurl.
  ///
  /// ```swift
  /// let coordinator = SyncCoordinator(
  ///   store: store, server: server, staging: folder.appending(path: "staging"))
  /// ```
  ///
  /// It opens and sends nothing before the first run.
  ///
  /// - Parameters:
  ///   - store: The store to sync.
  ///   - server: The server to sync with.
  ///   - staging: A folder for the server's answers; the coordinator creates it if necessary. The contents of fetched
  ///     files go to the folder `files` beside it.
  ///   - conflicts: Which value stays if both sides changed a field.
  ///   - options: The settings of a sync.
  public convenience init(
    store: any Store, server: ParseServer, staging: URL,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions()
  ) {
    self.init(
      store: store, server: server, staging: staging, conflicts: conflicts, options: options,
      transport: CurlTransport(), environment: .live)
  }

  /// Makes a coordinator that uses libcurl, and compares the app's Swift types with the schema first.
  ///
  /// ```swift
  /// let coordinator = try SyncCoordinator(
  ///   store: store, server: server, staging: staging, checking: [Game.self])
  /// ```
  ///
  /// It opens and sends nothing before the first run.
  ///
  /// - Parameters:
  ///   - store: The store to sync.
  ///   - server: The server to sync with.
  ///   - staging: A folder for the server's answers; the coordinator creates it if necessary. The contents of fetched
  ///     files go to the folder `files` beside it.
  ///   - types: The Swift types of the app's rows.
  ///   - conflicts: Which value stays if both sides changed a field.
  ///   - options: The settings of a sync.
  /// - Throws: `SchemaError`, which names class and field, where a field has no property or one of
  ///   another type; see `Schema.check(_:)`.
  public convenience init(
    store: any Store, server: ParseServer, staging: URL, checking types: [any SyncEntity.Type],
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions()
  ) throws(SchemaError) {
    try store.schema.check(types)
    self.init(
      store: store, server: server, staging: staging, conflicts: conflicts, options: options)
  }
}
