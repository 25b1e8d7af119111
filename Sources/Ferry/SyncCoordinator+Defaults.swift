// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
public import FerryEngine
public import FerryParse
import FerryPlanning
public import FerryStore
public import Foundation

extension SyncCoordinator {
  /// Makes a coordinator that sends over libcurl.
  ///
  /// ```swift
  /// let coordinator = SyncCoordinator(
  ///   store: store, server: server, staging: folder.appending(path: "staging"))
  /// ```
  ///
  /// Nothing is opened or sent before the first run.
  ///
  /// - Parameters:
  ///   - store: The rows to keep in step.
  ///   - server: The server to keep them in step with.
  ///   - staging: A folder for the server's answers; made when it is not there.
  ///   - conflicts: Whose value stays when both sides changed a field.
  ///   - options: How to sync.
  public convenience init(
    store: any Store, server: ParseServer, staging: URL,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions()
  ) {
    self.init(
      store: store, server: server, staging: staging, conflicts: conflicts, options: options,
      transport: CurlTransport(), environment: .live)
  }
}
