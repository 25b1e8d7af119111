// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryStore

/// The context of a stage for its work on one class.
///
/// Each error says whether it ends the run or concerns this class alone.
@dynamicMemberLookup
struct ClassContext: Sendable {
  let stage: StageContext
  let entity: Entity

  init(_ entity: Entity, in stage: StageContext) {
    self.stage = stage
    self.entity = entity
  }

  subscript<Member>(dynamicMember member: KeyPath<StageContext, Member>) -> Member {
    stage[keyPath: member]
  }

  /// Reads from one view of the store.
  func read<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(ClassError) -> Result {
    try endingRun { () throws(SyncError) in try stage.read(body) }
  }

  /// The value under a key of the store's bookkeeping.
  func state<Content>(_ key: BookkeepingKey<Content>) throws(ClassError) -> Content {
    try endingRun { () throws(SyncError) in try stage.state(key) }
  }

  /// Writes in one transaction of the store.
  func write<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(ClassError) -> Result {
    try failingClass { () throws(SyncError) in try stage.write(durability, body) }
  }

  /// Writes to the store; a rule of another program that refuses a row only fails the class.
  func failingClass<Result>(
    _ body: () throws(SyncError) -> Result
  ) throws(ClassError) -> Result {
    do throws(SyncError) {
      return try body()
    } catch {
      throw error.refusal == nil ? .endsRun(error) : .failsClass(.storeRefuses(error))
    }
  }

  /// Changes the value under a key of the store's bookkeeping.
  func change<Content>(
    _ key: BookkeepingKey<Content>, _ change: (inout Content) -> Void
  ) throws(ClassError) {
    try endingRun { () throws(SyncError) in try stage.change(key, change) }
  }

  func checkCancellation() throws(ClassError) {
    try endingRun { () throws(SyncError) in try stage.checkCancellation() }
  }

  /// Does what can only fail for the whole run.
  func endingRun<Result>(
    _ body: () throws(SyncError) -> Result
  ) throws(ClassError) -> Result {
    do {
      return try body()
    } catch {
      throw .endsRun(error)
    }
  }
}

extension ClassContext {
  /// The request of a query about the class.
  func request(_ query: ParseQuery) throws(ClassError) -> HTTPRequest {
    try endingRun { () throws(SyncError) in try stage.request(query, of: entity.name) }
  }

  /// The successful response to a query about the class.
  func response(to query: ParseQuery) throws(ClassError) -> HTTPResponse {
    try stage.response(to: request(query))
  }

  /// The page that a query about the class brings.
  func page(_ query: ParseQuery, by reader: inout PageReader) throws(ClassError) -> ParsePage {
    let response = try response(to: query)
    do {
      return try reader.read(response.body)
    } catch {
      throw ClassError(error)
    }
  }
}
