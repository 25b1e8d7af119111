// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryBackend
import FerryScenarios
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Randomness

/// Three devices of one server: another client, one that syncs all, and one that asks for what it needs.
final class BackendWorld {
  let world: SyncWorld
  let other: Device
  let whole: Device
  let asking: Device
  let backend: BackendStore
  /// The network of the asking device alone.
  let network: TestNetwork
  private let folder: TemporaryDirectory
  private var generator: SeededGenerator
  private var random: RandomQueries
  private var count = 0

  /// A world with rows on the server.
  init(
    _ kind: TestServer.Kind = .double, seed: UInt64, onDemand: Set<String>, size: Int = 100_000
  ) async throws {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.maxLimit = seed % 4 == 1 ? 7 : nil
    world = try SyncWorld(kind, options)
    generator = SeededGenerator(seed: seed)
    random = RandomQueries(seed: seed, namesLocalIDs: false)
    let schema = Schema(StoreConformance.schema.entities.filter { $0.name != "Club" })
    for entity in schema.entities { try world.server.declare(entity.name, entity.declarations) }
    other = try world.device("other", schema: schema)
    whole = try world.device("whole", schema: schema)
    folder = try TemporaryDirectory()
    network = TestNetwork()
    asking = Device(
      store: try SQLiteStore(
        at: folder.url.appending(path: "store.sqlite"),
        schema: Schema(
          schema.entities.map { onDemand.contains($0.name) ? $0.onDemand() : $0 })),
      staging: folder.url.appending(path: "staging"), server: world.server.known(),
      transport: network)
    backend = BackendStore(
      store: asking.store, coordinator: asking.coordinator,
      notes: folder.url.appending(path: "results.json"), size: size)
    try insert(leagues: 7, games: 25)
    try await other.sync()
  }

  private func happens(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < one
  }

  private func insert(leagues: Int, games: Int) throws {
    try other.store.write { db in
      for (className, number) in [("League", leagues), ("Game", games)] {
        for _ in 0..<number {
          let id = "\(className == "League" ? "l" : "g")\(count)"
          count += 1
          _ = try db.insert(className, random.newRow(of: className), objectID: id)
        }
      }
    }
  }

  /// Changes, deletes and inserts rows from another client.
  func changeByOther() async throws {
    try change()
    try await other.sync()
    try insert(leagues: 1, games: 3)
    try await other.sync()
  }

  private func change() throws {
    try other.store.write { db in
      for className in ["League", "Game"] {
        for row in try db.records(of: className) where happens(1, in: 5) {
          if happens(1, in: 3) {
            try db.delete(row.reference)
          } else {
            try db.update(row.reference, random.newRow(of: className))
          }
        }
      }
    }
  }

  /// Makes the same edits on both devices: of rows that both have as they are on the server, and of new ones.
  func editBoth() async throws {
    for className in ["League", "Game"] {
      _ = try await backend.references(Query(className), freshness: .always)
    }
    try edit()
  }

  private func edit() throws {
    for className in ["League", "Game"] {
      let known = Set(try asking.store.read { try $0.records(of: className).map(\.objectID) })
      let rows = try whole.store.read { try $0.records(of: className).map(\.objectID) }
      var edits: [(id: String, fields: Fields?)] = []
      for id in rows.sorted() where known.contains(id) && happens(1, in: 5) {
        edits.append((id, happens(1, in: 4) ? nil : random.newRow(of: className)))
      }
      count += 1
      let (new, fields) = ("n\(count)", random.newRow(of: className))
      for device in [whole, asking] {
        try device.store.write { db in
          for edit in edits {
            guard let row = try db.record(of: className, objectID: edit.id) else { continue }
            if let fields = edit.fields {
              try db.update(row.reference, fields)
            } else {
              try db.delete(row.reference)
            }
          }
          _ = try db.insert(className, fields, objectID: new)
        }
      }
    }
  }

  /// Brings both devices to the server's present state, without sending anything.
  func sync() async throws {
    for device in [whole, asking] { try await device.sync(.through(.deleteMissing)) }
  }

  /// A query whose answer is the same on all devices.
  func query() -> Query {
    random.query(happens(1, in: 3) ? "League" : "Game").withOneAnswer
  }

  func fields(of className: String) -> [String] { random.fields(of: className) }

  func summaries(of className: String) -> (aggregates: [Aggregate], groups: [String]) {
    random.summaries(of: className)
  }

  /// A field by whose values rows can be told apart.
  func orderedField(of className: String) -> String {
    random.field(of: className, where: \.isOrdered).name
  }
}

extension Query {
  /// The query with an order that leaves nothing to the age of rows, which differs between devices.
  var withOneAnswer: Query {
    var query = self
    query.condition = query.condition?.withOneAnswer
    query.order.append(.ascending("objectId"))
    return query
  }
}

extension Condition {
  fileprivate var withOneAnswer: Condition {
    switch self {
    case .among(let name, let query, let field): .among(name, query.withOneAnswer, of: field)
    case .all(let parts): .all(parts.map(\.withOneAnswer))
    case .any(let parts): .any(parts.map(\.withOneAnswer))
    case .not(let part): .not(part.withOneAnswer)
    case .field, .oneOf, .isNull, .text, .contains, .within, .unsent: self
    }
  }
}
