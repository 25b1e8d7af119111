// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning
package import FerryStore
import Testing

/// The promises of the store port, as named checks that every store must pass.
///
/// ```swift
/// @Test(arguments: StoreConformance.allChecks) func keepsThePromise(_ check: StoreCheck) async throws {
///   try await check.run { try InMemoryStore(schema: $0) }
/// }
/// ```
package enum StoreConformance {
  package static var allChecks: [StoreCheck] {
    rows + questions + conditions + results + keyPaths + capture + history + syncing + naming
      + keeping + conflicts + unsent + discarding + undoing + undoingWorlds + historyReading
      + observing + lazy + snapshots + snapshotSaving
      + snapshotIdentity + snapshotWorlds + worlds + access
  }

  /// The fields that a game has in the tests of SQLite too.
  package static let gameFields = [
    Field("title", .text), Field("score", .integer, default: 0), Field("rating", .number),
    Field("isOpen", .boolean), Field("playedAt", .date), Field("league", .pointer(to: "League")),
    Field("logo", .bytes), Field("details", .object),
  ]

  /// Leagues and games with a field of every type.
  package static let schema = Schema {
    Entity("League") {
      Field("name", .text)
      Field("games", .array)
      Field("parent", .pointer(to: "League"))
    }
    Entity("Game") {
      gameFields
      Field("moves", .array)
      Field("place", .geoPoint)
      Field("area", .polygon)
      Field("poster", .file)
    }
    Entity("Club") {
      Field("name", .text)
      Field("fans", .relation(to: "Fan"))
    }
  }

  static let createdAt = Timestamp(milliseconds: 1_700_000_000_000)
  static let version = ServerVersion(rawValue: "2026-03-01T18:30:00.250Z")
  static let acl: Value = ["*": ["read": true]]

  /// A row of the server with fields given by name.
  static func importRow(
    _ className: String, _ objectID: String, _ fields: Fields, localID: LocalID? = nil,
    createdAt: Timestamp = createdAt, version: ServerVersion? = version
  ) -> ImportRow {
    let declared = schema.entity(className)?.fields ?? []
    return ImportRow(
      localID: localID, objectID: objectID, createdAt: createdAt, version: version, acl: acl,
      values: declared.map { fields[$0.name] ?? $0.type.emptyValue })
  }
}

/// One promise of the port.
package struct StoreCheck: Sendable, CustomTestStringConvertible {
  /// Makes a new, empty store.
  package typealias Make = @Sendable (Schema) throws -> any SyncStore

  package let name: String
  private let body: @Sendable (Make) async throws -> Void

  package var testDescription: String { name }

  init(_ name: String, _ body: @escaping @Sendable (any SyncStore) async throws -> Void) {
    self.name = name
    self.body = { make in try await body(make(StoreConformance.schema)) }
  }

  /// A check that makes its stores itself.
  init(making name: String, _ body: @escaping @Sendable (Make) async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Runs the check on new stores.
  package func run(_ make: Make) async throws { try await body(make) }
}

/// Checks that a call fails with a `StoreError` whose message ends with a full stop.
func expectStoreError<Result>(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) {
  do {
    _ = try body()
    Issue.record("No error was thrown.", sourceLocation: sourceLocation)
  } catch {
    expect(error, is: code, sourceLocation)
  }
}

/// Checks that an `async` call fails with a `StoreError` whose message ends with a full stop.
func expectStoreError<Result>(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async {
  do {
    _ = try await body()
    Issue.record("No error was thrown.", sourceLocation: sourceLocation)
  } catch {
    expect(error, is: code, sourceLocation)
  }
}

private func expect(
  _ error: any Error, is code: StoreError.Code, _ sourceLocation: SourceLocation
) {
  guard let error = error as? StoreError else {
    Issue.record("Another error was thrown: \(error)", sourceLocation: sourceLocation)
    return
  }
  #expect(error.code == code, "\(error.message)", sourceLocation: sourceLocation)
  #expect(error.message.hasSuffix("."), "\(error.message)", sourceLocation: sourceLocation)
}

extension SyncStore {
  func game(_ localID: LocalID) throws -> Record? {
    try read { try $0.record(of: "Game", localID: localID) }
  }

  func importGame(_ objectID: String, _ fields: Fields = ["title": "Final"]) throws -> LocalID {
    try importRows("Game", [StoreConformance.importRow("Game", objectID, fields)])[0]
  }

  @discardableResult
  func importRows(_ className: String, _ rows: [ImportRow]) throws -> [LocalID] {
    try sync(.full) { try $0.apply(rows, to: className) }
  }

  func fold() throws { try sync(.full) { try $0.fold() } }

  func entries() throws -> [OutboxEntry] { try syncRead { try $0.outbox(of: nil) } }

  func entry(_ className: String, _ localID: LocalID) throws -> OutboxEntry? {
    try syncRead { try $0.outboxEntries(of: className, localIDs: [localID]).first }
  }
}
