// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerrySQLite
import Foundation
import LoopbackParse
import Testing

/// A server, a folder, and the built tool as a separate process.
final class ToolWorld: Sendable {
  let server: LoopbackServer
  let folder: TemporaryFolder

  init(_ configuration: LoopbackConfiguration = LoopbackConfiguration()) throws {
    server = try LoopbackServer(configuration)
    folder = try TemporaryFolder()
  }

  deinit { server.stop() }

  /// Creates leagues, and games that point to them.
  func fill(games: Int = 3) throws {
    try server.withBackend { backend throws(LoopbackError) in
      let league = try backend.create("League", ["name": "North"])
      for number in 0..<games {
        _ = try backend.create(
          "Game",
          [
            "title": .string("Game \(number)"), "score": .number(Double(number)),
            "league": [
              "__type": "Pointer", "className": "League", "objectId": .string(league),
            ],
          ])
      }
    }
  }

  /// Writes `ferry.json` for the classes that `fill` makes.
  func configure(
    server address: String? = nil, applicationID: String = "app1", extra: String = "",
    classes: String = ToolWorld.classes
  ) throws {
    try folder.write(
      """
      {
        "server": "\(address ?? server.url)", "applicationId": "\(applicationID)",\(extra)
        "classes": \(classes)
      }
      """, to: "ferry.json")
  }

  static let classes = """
    {
        "League": { "fields": { "name": { "type": "String" } } },
        "Game": { "fields": { "title": { "type": "String" }, "score": { "type": "Number" },
          "league": { "type": "Pointer", "targetClass": "League" } } }
      }
    """

  /// Makes a user whose password is “secret”, with a session.
  func signUp(_ name: String) throws -> (objectID: String, token: String) {
    let request = LoopbackRequest(
      "POST", "/parse/users", headers: ["X-Parse-Application-Id": "app1"],
      json: ["username": .string(name), "password": "secret"])
    let answer = server.withBackend { $0.answer(request) }.json
    return (
      try #require(answer?["objectId"]?.string), try #require(answer?["sessionToken"]?.string)
    )
  }

  /// The records of a class on the server.
  func records(of className: String) -> [LoopbackValue] {
    server.withBackend { $0.objects(of: className) }
  }

  /// Opens the store of the folder as an app does, by the schema of its `ferry.json`.
  func store() throws -> SQLiteStore {
    let bytes = try Data(contentsOf: folder.url.appending(path: "ferry.json"))
    return try SQLiteStore(
      at: folder.url.appending(path: "store.sqlite"), schema: SyncConfiguration(json: bytes).schema)
  }

  /// Runs the tool to its end in the world's folder.
  @discardableResult
  func ferry(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> FerryProcess.Result {
    try await FerryProcess(arguments, in: folder.url, environment: environment).result()
  }

  func start(_ arguments: String...) throws -> FerryProcess {
    try FerryProcess(arguments, in: folder.url)
  }

  /// Runs a shell command in the world's folder, where `$FERRY` is the tool.
  func shell(_ line: String) async throws -> FerryProcess.Result {
    try await FerryProcess(
      program: URL(filePath: "/bin/bash"), ["-c", line], in: folder.url,
      environment: ["FERRY": FerryProcess.executable.path(percentEncoded: false)]
    ).result()
  }

  /// Runs statements on the store as another program does.
  func sql(_ statements: String) async throws {
    let result = try await FerryProcess(
      program: URL(filePath: "/usr/bin/env"),
      ["sqlite3", "-cmd", ".timeout 5000", "store.sqlite", statements],
      in: folder.url
    ).result()
    #expect(result.code == 0, "\(result.errors)")
  }

  func path(_ name: String) -> String {
    folder.url.appending(path: name).path(percentEncoded: false)
  }
}
