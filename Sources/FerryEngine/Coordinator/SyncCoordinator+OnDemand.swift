// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
import FerryStore

extension SyncCoordinator {
  /// Asks the server for the records of a query, and brings them into the store.
  ///
  /// Use it for classes that a sync does not list: `Entity.onDemand()`. Of another class, it brings what a sync would
  /// bring, only earlier.
  ///
  /// ```swift
  /// let album = Query("Photo", where: .field("album", .equal, "Rome"))
  /// let fetched = try await coordinator.fetch(album)
  /// let photos = try await store.read { try $0.records(album) }
  /// ```
  ///
  /// The records are imported as by a sync: unsent edits of this device are merged with them, conflicts are recorded, and a
  /// record that does not fit the schema goes into quarantine. Nothing is sent, and no row is removed.
  ///
  /// It asks the server for the query's condition as far as the server decides it as the store does, and for more records
  /// where it does not; then read the query from the store. A limit counts where the first order is a number or a
  /// date. The fields of the condition must exist on the server: a server may answer that no record matches a field that
  /// it does not have.
  ///
  /// It checks first that the store's data is of this server and this user. It repeats no request, so a server that
  /// cannot be reached costs little time. While a run of this coordinator goes on, it waits for its end. Any thread may
  /// call it.
  ///
  /// - Parameters:
  ///   - query: The query; its class must be registered.
  ///   - limit: The greatest number of records to bring, at least 1; the last page may bring a few more.
  ///   - timeout: How long the server may be silent until the request counts as failed. Below one second it counts as one
  ///     second.
  /// - Returns: The rows that came.
  /// - Throws: `SyncError` if the error would also stop a sync, such as `unreachable` or `tryAgain`. Its code is
  ///   `queryRefused` if the server refuses the query, `configuration` for a query that cannot be carried out, and
  ///   `cancelled` if the task is cancelled. Records that came before are kept.
  public func fetch(
    _ query: Query, upTo limit: Int = 10_000, timeout: Duration = .seconds(10)
  ) async throws(SyncError) -> FetchedRecords {
    let stage = try stage(for: query, upTo: limit)
    var options = options
    options.timeout = timeout
    let run = begin(newRun(), SyncRequest(), options: options, uniting: false) { [queue] session in
      session.beginOutsideSync(stage, asksServer: true, on: queue)
    }
    if case .failure(let error) = await run.resultOrCancelled() { throw error }
    // The stage has left an answer, or the run has failed.
    return run.ledger.fetchedRecords
      ?? FetchedRecords(records: [], isExact: false, isComplete: false)
  }

  /// Takes rows of on-demand classes out of the store, and leaves their records on the server.
  ///
  /// It is no edit: nothing is sent for it, and a fetch brings the records again. A row stays that has an unsent change, or
  /// whose last change the server has not confirmed yet. A row that has values in columns of another program stays, too.
  ///
  /// ```swift
  /// let photos = try await store.read { try $0.references(Query("Photo", where: !.isUnsent)) }
  /// let report = try await coordinator.evict(photos)
  /// print("\(report.evicted.count) rows left, \(report.kept.count) stay")
  /// ```
  ///
  /// It asks no server. While a run of this coordinator goes on, it waits for its end. Any thread may call it.
  ///
  /// - Parameter records: The rows; one that is not in the store is left out.
  /// - Returns: The rows that left, and those that stay.
  /// - Throws: `SyncError` with code `configuration` for a class that is not on demand, `busy` if another process syncs the
  ///   store, and `cancelled` if the task is cancelled. Rows that left before are gone from the store.
  @discardableResult
  public func evict(_ records: [RecordReference]) async throws(SyncError) -> EvictionReport {
    for name in Set(records.map(\.className)).sorted()
    where store.schema.entity(name)?.isOnDemand != true {
      throw SyncError(
        .configuration,
        "The rows of \(name) cannot be evicted, because the class is not fetched on demand. No row left the store. "
          + "Declare the class with onDemand(), or delete the rows.")
    }
    guard !records.isEmpty else { return EvictionReport() }
    let request = SyncRequest(selection: .only(.importing))
    let run = begin(newRun(), request, uniting: false) { [queue] session in
      session.beginOutsideSync(EvictStage(records: records), asksServer: false, on: queue)
    }
    if case .failure(let error) = await run.resultOrCancelled() { throw error }
    return run.ledger.evictionReport ?? EvictionReport()
  }

  /// The stage that fetches the records of a query; throws for a query that cannot be carried out.
  func stage(for query: Query, upTo limit: Int) throws(SyncError) -> FetchStage {
    do throws(StoreError) {
      let entity = try store.schema.registered(query.className)
      try query.check(in: store.schema)
      if entity.membership != nil {
        throw StoreError(
          .unknownClass,
          "The rows of \(entity.name) are members of a relation, which a sync lists. Nothing was asked; sync, or fetch the "
            + "members themselves.")
      }
      return FetchStage(entity: entity, query: query, limit: max(limit, 1))
    } catch {
      throw SyncError(.configuration, error.message, cause: error)
    }
  }
}
