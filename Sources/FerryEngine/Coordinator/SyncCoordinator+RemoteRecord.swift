// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

extension SyncCoordinator {
  /// Asks the server for one record as it is now, and changes nothing on either side.
  ///
  /// ```swift
  /// let answer = try await coordinator.remoteRecord(of: "Game", objectID: "aB3")
  /// if case .shown(let fields, _) = answer { print(fields["title"] ?? .null) }
  /// ```
  ///
  /// It checks first that the store's data is of this server and this user. It repeats no request, so a server that
  /// cannot be reached costs little time. It looks past the filter of the class. Any thread may call it.
  ///
  /// While a run of this coordinator goes on, it waits for its end.
  ///
  /// - Parameters:
  ///   - className: A registered class.
  ///   - objectID: The record's id on the server.
  ///   - timeout: How long the server may be silent until the request counts as failed. Below one second it counts as one
  ///     second.
  /// - Returns: The record, or why the server shows none.
  /// - Throws: `SyncError` if the error would also stop a sync, such as `unreachable` or `tryAgain`. Its code is `cancelled`
  ///   if the task is cancelled.
  public func remoteRecord(
    of className: String, objectID: String, timeout: Duration = .seconds(10)
  ) async throws(SyncError) -> RemoteRecord {
    let entity: Entity
    do {
      entity = try store.schema.registered(className)
    } catch {
      throw SyncError(.configuration, error.message, cause: error)
    }
    var options = options
    options.timeout = timeout
    let run = begin(newRun(), SyncRequest(), options: options, uniting: false) { [queue] session in
      session.beginLookup(entity, objectID: objectID, on: queue)
    }
    let result = await run.resultOrCancelled()
    if case .failure(let error)? = result { throw error }
    // The stage has left an answer, or the run has failed.
    return run.ledger.remoteRecord ?? .notShown
  }
}
