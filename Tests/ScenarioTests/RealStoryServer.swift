// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryScenarios
import FerryTestSupport
import Foundation
import LoopbackParse

/// A real server with the story's Cloud Code.
///
/// The server uses its own clock; only the devices use the story's clock. A slow write waits in the
/// server for a signal from this process, so that no test sleeps.
final class RealStoryServer: StoryServer {
  let url: URL
  let transport: any HTTPTransport = CurlTransport()
  private let server: RealServer
  private let takesIDs: Bool

  /// Empties the server for the next story.
  init(_ server: RealServer, _ setup: StoryServerSetup) throws {
    url = server.url
    self.server = server
    takesIDs = setup.allowsCustomIDs
    try call(
      "storyBegins",
      [
        "allowsCustomIDs": .bool(setup.allowsCustomIDs),
        "maxLimit": setup.maxLimit.map { .number(Double($0)) } ?? .null,
        "brokenBatch": .bool(setup.brokenBatch),
      ])
    try server.removeFiles()
    let classes = try send(.get, "/schemas")["results"]?.array ?? []
    for name in classes.compactMap({ $0["className"]?.string }) {
      let isOwn = !name.hasPrefix("_")
      guard isOwn || ["_User", "_Session"].contains(name) else { continue }
      _ = try send(.delete, "/purge/\(name)")
      if isOwn { _ = try send(.delete, "/schemas/\(name)") }
    }
  }

  func rows(of className: String) throws -> [LoopbackValue] {
    var rows: [LoopbackValue] = []
    while true {
      var question: [String: LoopbackValue] = [
        "_method": "GET", "order": "objectId", "limit": 1000,
      ]
      if let last = rows.last?["objectId"] { question["where"] = ["objectId": ["$gt": last]] }
      let answer = try send(.post, "/classes/\(className)", .object(question))
      guard let page = answer["results"]?.array, !page.isEmpty else { return rows }
      rows += page
    }
  }

  func fileNames() -> [String] { server.fileNames }

  func load(_ rows: [LoopbackValue], into className: String) throws -> [String] {
    let creates = rows.map { row -> LoopbackValue in
      var members = row.object ?? [:]
      if !takesIDs { members["objectId"] = nil }
      let path = LoopbackValue.string("\(url.path)/classes/\(className)")
      return ["method": "POST", "path": path, "body": .object(members)]
    }
    let batches = try stride(from: 0, to: creates.count, by: 50).map { start in
      let items = Array(creates[start..<min(start + 50, creates.count)])
      return try request(.post, "/batch", ["requests": .array(items)])
    }
    let ids = try transport.sendAll(batches).flatMap { result in
      try Self.answer(result.get()).array?.map { $0["success"]?["objectId"]?.string ?? "" } ?? []
    }
    // Stamps written by SQL are finer than Parse's milliseconds.
    let list = ids.map { "'\($0)'" }.joined(separator: ",")
    try server.run(
      sql: """
        with moment as (
          select date_trunc('milliseconds', clock_timestamp()) + interval '123 microseconds' as stamp)
        update "\(className)" set "createdAt" = stamp, "updatedAt" = stamp from moment
        where "objectId" in (\(list))
        """)
    return ids
  }

  func replace(_ row: LoopbackValue, of className: String) throws {
    let id = row["objectId"]?.string ?? ""
    let stamp = row["updatedAt"]?.string ?? ""
    var members = row.object ?? [:]
    for name in ["objectId", "createdAt", "updatedAt"] { members[name] = nil }
    _ = try send(.put, "/classes/\(className)/\(id)", .object(members))
    try server.run(
      sql: #"update "\#(className)" set "updatedAt" = '\#(stamp)' where "objectId" = '\#(id)'"#)
  }

  func apply(_ rules: ServerRules) throws { try call("setRules", ["rules": rules.json]) }

  /// One real server plays all stories, so that none can start it with other Cloud Code.
  func restart(logging classNames: [String]) throws {
    throw URLError(.unsupportedURL)
  }

  /// A test cannot tell a real server to drop a connection; only the double runs such stories.
  func cutNextAnswer() {}

  func holdBack(_ held: HeldRequest) throws -> @Sendable () throws -> Void {
    let request = held.request
    guard !held.writes.isEmpty else { return { _ = try self.transport.send(request) } }
    let id = LoopbackValue.string(UUID().uuidString)
    try call("hold", ["id": id, "classes": .array(held.writes.map(LoopbackValue.string))])
    let isAnswered = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? self.transport.send(request)
      isAnswered.signal()
    }
    try call("arrival", ["id": id])
    return {
      try self.call("release", ["id": id])
      isAnswered.wait()
    }
  }

  func close() -> [String] { [] }
}

extension RealStoryServer {
  private func call(_ function: String, _ parameters: LoopbackValue) throws {
    _ = try send(.post, "/functions/\(function)", parameters)
  }

  private func send(
    _ method: HTTPMethod, _ path: String, _ body: LoopbackValue? = nil
  ) throws -> LoopbackValue {
    try Self.answer(transport.send(request(method, path, body)))
  }

  private func request(
    _ method: HTTPMethod, _ path: String, _ body: LoopbackValue?
  ) throws -> HTTPRequest {
    guard let url = URL(string: url.absoluteString + path) else { throw URLError(.badURL) }
    return HTTPRequest(
      method, url, headers: RealServerAccess.master, body: Data((body?.text ?? "").utf8))
  }

  private static func answer(_ response: HTTPResponse) throws -> LoopbackValue {
    guard (200...299).contains(response.status) else {
      throw RealServerError(String(decoding: response.body, as: UTF8.self))
    }
    return try LoopbackValue(json: Array(response.body))
  }
}
