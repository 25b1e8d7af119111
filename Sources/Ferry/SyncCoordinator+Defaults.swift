// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
public import FerryEngine
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
  ///   - staging: A folder for the server's answers; the coordinator creates it if necessary.
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
}
