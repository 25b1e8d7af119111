// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryScenarios
import FerrySimulator
import Foundation
import Testing

/// Worlds with the schema of an app.
@Suite(.serialized) struct AppSchemaTests {
  private let simulation = Simulation(
    folder: Simulation.standardFolder.appending(path: UUID().uuidString))

  /// The schema that `Tools/Scripts/test` plays: each type, tables, columns, defaults and filters.
  private var schema: Schema {
    get throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/simulator/ferry.json")
      return try SyncConfiguration(json: Data(contentsOf: file)).schema
    }
  }

  @Test(arguments: UInt64(1)...10) func `no rule is broken`(in seed: UInt64) throws {
    let outcome = simulation.play(try World(seed: seed, schema: schema))
    #expect(outcome.violation == nil)
    #expect(outcome.tally.worlds == 1)
  }

  @Test func `the same seed takes the same course`() throws {
    let world = try World(seed: 24, schema: schema)
    #expect(simulation.play(world).trace == simulation.play(world).trace)
  }

  @Test func `a world writes every field that can be written`() throws {
    let classes = try WorldClass.classes(of: schema)
    var written: Set<String> = []
    for seed in UInt64(1)...40 {
      let world = World(seed: seed, classes: classes)
      for case .insert(_, let className, let fields) in world.given
        + world.events.compactMap(\.edit)
      {
        written.formUnion(fields.filter { $0.value != .empty }.keys.map { "\(className).\($0)" })
      }
    }
    let all = try schema.entities.flatMap { entity in
      entity.fields.map { "\(entity.name).\($0.name)" }
    }
    #expect(Set(all).subtracting(written) == ["Match.fans", "Club.isGone"])
  }

  // MARK: The rules look at each type

  @Test(arguments: [
    FieldType.text, .integer, .number, .date, .object, .array, .geoPoint, .polygon, .file,
    .boolean, .pointer(to: "Elsewhere"),
  ])
  func `a mistake of the engine shows in a field of each type`(_ type: FieldType) throws {
    let schema = Schema {
      Entity("Thing") {
        Field("code", .text)
        Field("value", type, column: "content")
      }
    }
    let classes = try WorldClass.classes(of: schema)
    let mistaken = Simulation(with: .noConflictRecords, folder: Simulation.standardFolder)
    let caught = (UInt64(1)...60).lazy.compactMap { seed in
      mistaken.play(World(seed: seed, classes: classes)).violation
    }.first { $0.message.contains(".value") }
    #expect(caught != nil)
  }

  @Test func `a fall is a small story that can be read`() throws {
    let mistaken = Simulation(with: .neverAgain, folder: Simulation.standardFolder)
    // The richest class alone, so that the worlds are small.
    let classes = try WorldClass.classes(of: Schema(schema.entities.prefix(1).map(\.self)))
    let (world, violation) = try #require(
      (UInt64(1)...40).lazy.map { World(seed: $0, classes: classes) }
        .filter { $0.events.count < 25 }
        .compactMap { world in mistaken.play(world).violation.map { (world, $0) } }.first)
    let small = mistaken.shrink(world, breaking: violation.rule, plays: 40)
    #expect(small.events.count < world.events.count)
    #expect(small.classes[0].entity.fields.count < classes[0].entity.fields.count)
    let outcome = mistaken.play(small, tells: true)
    #expect(outcome.violation?.rule == violation.rule)
    _ = try Scenario(outcome.story)
  }

  // MARK: Schemas that no world can have

  @Test func `a class without a text field is refused`() throws {
    let schema = Schema { Entity("Score") { Field("points", .integer) } }
    let error = #expect(throws: WorldSchemaError.self) { try World(seed: 1, schema: schema) }
    #expect(error?.code == .noTitle && error?.className == "Score")
    #expect(error?.message.contains("Add one") == true)
  }

  @Test func `the author may name the rows by another field`() throws {
    let schema = Schema {
      Entity("Game") {
        Field("state", .text)
        Field("code", .text)
      }
      .filter(.field("state", .equal, "open"))
    }
    #expect(try WorldClass.classes(of: schema).map(\.title) == ["code"])
    #expect(try WorldClass.classes(of: schema, titles: ["Game": "code"]).map(\.title) == ["code"])
    for titles in [["Game": "state"], ["Game": "name"], ["Gme": "code"]] {
      let error = #expect(throws: WorldSchemaError.self) {
        try World(seed: 1, schema: schema, titles: titles)
      }
      #expect(error?.code == .title)
    }
  }

  /// A schema that no world can have, and the reason.
  struct Refused: Sendable, CustomTestStringConvertible {
    var entity: Entity
    var code: WorldSchemaError.Code
    var testDescription: String { code.rawValue }
  }

  @Test(arguments: [
    Refused(entity: Entity("_User", fields: [Field("nick", .text)]), code: .systemClass),
    Refused(
      entity: Entity("Game", fields: [Field("title", .text), Field("title", .text)]),
      code: .invalidSchema),
    Refused(
      entity: Entity("Game", fields: [Field("title", .text)])
        .filter(
          .field(
            "createdAt", .greaterThanOrEqual,
            .date(Timestamp(milliseconds: 1_767_225_600_000)))), code: .filter),
    Refused(
      entity: Entity(
        "Game", fields: [Field("title", .text), Field("league", .pointer(to: "League"))]
      )
      .filter(.not(.isNull("league"))), code: .filter),
    Refused(
      entity: Entity("Game", fields: [Field("title", .text)]).serialized(by: PlainFormat()),
      code: .wireFormat),
  ])
  func `what no world can have is refused`(_ refused: Refused) throws {
    let error = #expect(throws: WorldSchemaError.self) {
      try World(seed: 1, schema: Schema([refused.entity]))
    }
    #expect(error?.code == refused.code)
    #expect(error?.message.isEmpty == false)
  }
}

/// A wire format of an app.
private struct PlainFormat: RecordSerializer {
  var wireKeys: [String] { ["title"] }
  func decode(_ wire: Fields) -> Fields { wire }
  func encode(_ fields: Fields) -> Fields { fields }
}

extension Event {
  fileprivate var edit: Edit? { if case .edit(_, let edit) = self { edit } else { nil } }
}
