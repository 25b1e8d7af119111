// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import Testing

/// A coordinator that compares the app's types with the schema.
@Suite(.timeLimit(.minutes(1)))
struct CheckedCoordinatorTests {
  private struct Game: SyncEntity {
    var id = LocalID()
    var title: Int?
  }

  private func coordinator(_ schema: Schema) throws -> SyncCoordinator {
    let server = ParseServer(
      url: try #require(URL(string: "https://parse.example.com/1")), applicationID: "demo")
    return try SyncCoordinator(
      store: InMemoryStore(schema: schema), server: server, staging: .temporaryDirectory,
      checking: [Game.self])
  }

  @Test func `a coordinator for types that do not fit is not made`() throws {
    let schema = Schema {
      Entity("Game") {
        Field("title", .text)
        Field("score", .integer)
      }
    }
    let error = #expect(throws: SchemaError.self) { try coordinator(schema) }
    #expect(error?.problems.map(\.className) == ["Game", "Game"])
    #expect(error?.problems.map(\.field) == ["title", "score"])
    #expect(error?.problems.map(\.code) == [.propertyType, .missingProperty])
    _ = try coordinator(Schema { Entity("Game") { Field("title", .integer) } })
  }
}
