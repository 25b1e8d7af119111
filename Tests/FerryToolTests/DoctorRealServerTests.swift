// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: RealServer.script != nil,
    "No real Parse Server can be started here: Tools/RealServer/start says why."))
struct DoctorRealServerTests {
  /// The checks of a run by name: verdict and finding.
  private func examine(
    _ folder: TemporaryFolder, _ arguments: String...
  ) async throws -> [String: (verdict: String, finding: String)] {
    let run = try FerryProcess(["doctor", "--json"] + arguments, in: folder.url)
    let result = await run.result()
    #expect(result.code == 0, "\(result.errors)\(result.output)")
    let checks = result.lastMessage?["checks"] as? [[String: Any]] ?? []
    let named = checks.map { check in
      (
        check["name"] as? String ?? "",
        (check["verdict"] as? String ?? "", check["finding"] as? String ?? "")
      )
    }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  private func folder(_ server: RealServer, master: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o700)
    try folder.write("mk", to: "key")
    try folder.write(
      """
      { "server": "\(server.url.absoluteString)", "applicationId": "app1",
        \(master ? "\"masterKeyFile\": \"key\"," : "")
        "classes": { "Game": { "fields": { "title": { "type": "String" } } } } }
      """, to: "ferry.json")
    return folder
  }

  @Test func `ferry doctor makes an index that PostgreSQL uses, and nothing else`() async throws {
    try await RealServer.running { server in
      let access = RealServerAccess(server)
      _ = try await access.create("Game", [["title": "Final"]])
      let master = try folder(server, master: true)
      let looked = try await examine(master)
      #expect(looked["index"]?.verdict == "notice")
      #expect(looked["client ids"]?.verdict == "unknown")
      #expect(looked["count Game"]?.finding == "Allowed: 1 row.")
      #expect(looked["version"]?.finding == "Parse Server 9.10.0.")
      #expect(try await indexes(server) == ["Game_pkey"])

      let made = try await examine(master, "--write", "--make-index")
      #expect(made["index"]?.verdict == "ok", "\(made["index"]?.finding ?? "")")
      #expect(made["client ids"]?.verdict == "ok", "\(made["ids made here"]?.finding ?? "")")
      #expect(try await examine(master)["index"]?.verdict == "ok")
      #expect(try await indexes(server) == ["Game_pkey", "Game_sync"])
      #expect(try await plan(of: Self.pull, server).contains("Game_sync"))
      let names = try await access.classes().keys
      #expect(!names.contains("FerryProbe"))
      #expect(try await server.sql(#"SELECT count(*) FROM "Game""#) == "10001\n")

      let client = try await examine(try folder(server, master: false), "--write")
      #expect(client["index"]?.verdict == "unknown")
      #expect(client["version"]?.verdict == "unknown")
      #expect(client["client ids"]?.verdict == "ok")
      #expect(try await access.rows(of: "FerryProbe").isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `ferry doctor finds the Cloud Code of a real server`(_ hasModule: Bool) async throws {
    let module: LoopbackValue? = hasModule ? ["classes": ["Game", "Team"], "days": 7] : nil
    try await RealServer.running(.init(module: module)) { server in
      _ = try await RealServerAccess(server).create("Game", [["title": "Final"]])
      let found = try await examine(try folder(server, master: false))["cloud code"]
      #expect(found?.verdict == (hasModule ? "ok" : nil))
      #expect(
        found?.finding.hasPrefix(
          "Version 1.0.0 of Ferry's Cloud Code. It says which records are gone of Game. It logs deletions of Game for "
            + "7 days.") != false)
    }
  }

  @Test(arguments: [true, false])
  func `ferry doctor finds the live queries of a real server`(_ publishes: Bool) async throws {
    let settings: [String: LoopbackValue] = [
      "liveQuery": ["classNames": publishes ? ["Game"] : []],
      "startLiveQueryServer": .bool(publishes),
    ]
    try await RealServer.running(.init(settings: settings)) { server in
      _ = try await RealServerAccess(server).create("Game", [["title": "Final"]])
      let found = try await examine(try folder(server, master: false))["live queries"]
      #expect(found?.verdict == "ok")
      #expect(
        found?.finding.hasPrefix(
          publishes ? "The server takes live queries of Game." : "The server takes no live queries")
          == true, "\(found?.finding ?? "")")
    }
  }

  private func indexes(_ server: RealServer) async throws -> [String] {
    let statement = #"SELECT indexname FROM pg_indexes WHERE tablename = 'Game' ORDER BY 1"#
    return try await server.sql(statement).split(separator: "\n").map(String.init)
  }

  /// PostgreSQL's plan for a query, with enough rows for a choice.
  private func plan(of query: String, _ server: RealServer) async throws -> String {
    _ = try await server.sql(
      #"""
      INSERT INTO "Game" ("objectId", "createdAt", "updatedAt", title, _rperm, _wperm)
      SELECT 'r' || n, now(), now() - n * interval '1 minute', 'x', '{*}', '{*}'
      FROM generate_series(1, 10000) AS n
      """#)
    _ = try await server.sql(#"ANALYZE "Game""#)
    return try await server.sql("EXPLAIN \(query)")
  }

  /// A page query of a download, in the form that Parse Server sends to PostgreSQL.
  private static let pull = #"""
    SELECT * FROM "Game" WHERE "updatedAt" >= now() - interval '2 hours' AND ("updatedAt" > now() - interval
    '2 hours' OR ("updatedAt" = now() - interval '2 hours' AND "objectId" > 'r5'))
    AND (_rperm IS NULL OR _rperm && ARRAY['*']) ORDER BY "updatedAt" ASC, "objectId" ASC LIMIT 100
    """#

  @Test func `ferry doctor sees what a real server makes of batches and object ids`() async throws {
    let options = RealServer.Options(
      settings: ["allowCustomObjectId": false], breaksBatches: true)
    try await RealServer.running(options) { server in
      _ = try await RealServerAccess(server).send(
        .post, "/classes/Game", ["title": "Final"], headers: RealServerAccess.master)
      let found = try await examine(try folder(server, master: false), "--write")
      #expect(found["batches"]?.verdict == "notice")
      #expect(found["client ids"]?.verdict == "notice")
      let names = try await RealServerAccess(server).classes().keys
      #expect(!names.contains("FerryProbe"))
    }
  }
}
