// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Randomness
import Synchronization
import Testing

/// Two devices, another client, a server, and what everybody wrote.
///
/// Each pair of owner and member, each element of a set and each file belongs to one actor, who alone changes it. So
/// the end is known whatever arrives first. Everybody adds to all counters.
final class SharedFieldsWorld: Sendable {
  /// The fields of a board as they must be at the end.
  struct Board: Sendable, Equatable {
    var count: Int64
    var tags: Set<String> = []
    var players: Set<String> = []
    /// The content of its file; nil for none.
    var photo: String?
  }

  struct State: Sendable {
    var chance: SeededGenerator
    /// The boards by title.
    var boards: [String: Board] = [:]
    /// Whether the server has carried out the last addition of a device to a record, by both names.
    var fates: [String: Bool] = [:]
    /// The process that syncs a device.
    var process: (device: String, identifier: Int32)?
    /// Nothing goes wrong while the devices are set up, and at the end.
    var isCalm = true
    /// How far the clocks are ahead.
    var ahead: Double = 0
    var files = 0
    /// What happened, for the message of a test that falls.
    var log: [String] = []
  }

  static let players = ["ada", "bob", "cid", "dan"]
  static let devices = ["a", "b"]

  let server: TestServer
  let client: ForeignClient
  let folders: [String: TemporaryFolder]
  let state: Mutex<State>
  private let proxies = Mutex<[String: LyingProxy]>([:])

  init(_ kind: TestServer.Kind, seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    var options = TestServerOptions()
    options.allowsCustomIDs = chance.one(in: 2)
    server = try TestServer(kind, options)
    client = try ForeignClient(server.url)
    state = Mutex(State(chance: chance))
    folders = try Dictionary(
      uniqueKeysWithValues: Self.devices.map { ($0, try TemporaryFolder()) })
    try server.declare("Player", ["name": ["type": "String"]])
    try server.declare(
      "Board",
      [
        "title": ["type": "String"], "note": ["type": "String"], "count": ["type": "Number"],
        "tags": ["type": "Array"], "photo": ["type": "File"],
        "players": ["type": "Relation", "targetClass": "Player"],
      ])
    try server.create("Player", Self.players.map { ["name": .string($0)] })
    for title in ["k0", "k1"] {
      try server.create("Board", ["title": .string(title), "count": 10])
      state.withLock { $0.boards[title] = Board(count: 10) }
    }
    for name in Self.devices { try await set(up: name) }
    state.withLock { $0.isCalm = false }
  }

  /// Gives a device its folder and its way to the server, and syncs it once.
  private func set(up name: String) async throws {
    let proxy = try LyingProxy(
      to: server.url, judge: { [weak self] in self?.fate(of: $0, from: name) ?? .passes },
      witness: { [weak self] in self?.saw($0, $1, from: name) })
    proxies.withLock { $0[name] = proxy }
    try folder(name).write(Self.configuration(proxy.url), to: "ferry.json")
    let first = try await ferry(name, "sync")
    #expect(first.code == 0, "\(first.errors)")
  }

  private static func configuration(_ server: URL) -> String {
    """
    { "server": "\(server.absoluteString)", "applicationId": "app1",
      "classes": {
        "Player": { "fields": { "name": { "type": "String" } } },
        "Board": { "fields": {
          "title": { "type": "String" }, "note": { "type": "String" },
          "count": { "type": "Number", "integer": true, "merge": "increment" },
          "tags": { "type": "Array", "merge": "set" }, "photo": { "type": "File" },
          "players": { "type": "Relation", "targetClass": "Player" } } },
        "Board_players": { "membersOf": {
          "className": "Board", "field": "players", "targetClass": "Player" } }
      } }
    """
  }

  func folder(_ name: String) throws -> TemporaryFolder { try #require(folders[name]) }

  /// The store of a device, beside the process that may sync it.
  func store(_ name: String) throws -> SQLiteStore {
    let url = try folder(name).url
    let configuration = try SyncConfiguration(
      json: Data(contentsOf: url.appending(path: "ferry.json")))
    return try SQLiteStore(
      at: url.appending(path: "store.sqlite"), schema: configuration.schema)
  }

  func ferry(_ name: String, _ arguments: String...) async throws -> FerryProcess.Result {
    let process = try FerryProcess(arguments, in: folder(name).url)
    state.withLock { $0.process = (name, process.identifier) }
    defer { state.withLock { $0.process = nil } }
    return await process.result()
  }

  /// Waits until every late request has arrived.
  func settleLateRequests() async throws {
    while proxies.withLock({ $0.values.contains { $0.lateCount > 0 } }) {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  // MARK: Chance

  func number(below bound: Int) -> Int { state.withLock { $0.chance.number(below: bound) } }

  func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

  func note(_ words: String) { state.withLock { $0.log.append(words) } }

  /// The actor who alone changes an element: the devices, and the client.
  func owner(of element: String) -> String {
    let actors = Self.devices + ["k"]
    return actors[element.utf8.reduce(0) { $0 + Int($1) } % actors.count]
  }

  // MARK: The network

  /// Decides about a request of a device, after the app may have edited and the process may have been killed.
  private func fate(of request: LyingProxy.Request, from name: String) -> LyingProxy.Fate {
    guard !state.withLock(\.isCalm) else { return .passes }
    let isWrite = request.isWrite
    if isWrite, number(below: 6) == 0 { try? edit(on: name) }
    if number(below: isWrite ? 14 : 40) == 0 { killProcess(of: name) }
    let fate: LyingProxy.Fate =
      switch number(below: isWrite ? 10 : 60) {
      case 0: .isLost
      case 1: .losesItsAnswer
      case 2: isWrite ? .isLate(.milliseconds(1 + 150 * number(below: 8))) : .passes
      case 3: .isCut(number(below: 300))
      case 4: .isAnswered(502)
      default: .passes
      }
    if isWrite { note("\(name) \(request.method) \(request.path): \(fate)") }
    for id in request.incrementedIDs { state.withLock { $0.fates["\(name) \(id)"] = false } }
    return fate
  }

  /// Notes what the server has carried out; the process may be killed before it knows.
  private func saw(_ request: LyingProxy.Request, _ answer: Data, from name: String) {
    for id in request.incrementedIDs { state.withLock { $0.fates["\(name) \(id)"] = true } }
    guard !state.withLock(\.isCalm) else { return }
    if request.isWrite, number(below: 10) == 0 { killProcess(of: name) }
  }

  func killProcess(of name: String) {
    state.withLock { state in
      guard let process = state.process, process.device == name else { return }
      state.log.append("\(name) is killed")
      kill(process.identifier, SIGKILL)
    }
  }
}

extension LyingProxy.Request {
  /// Whether it changes the server; reads with long conditions are posts, too.
  fileprivate var isWrite: Bool {
    method != "GET" && !String(decoding: body, as: UTF8.self).contains(#""_method":"GET""#)
  }

  /// The ids of the records to which it adds, alone or in a batch.
  fileprivate var incrementedIDs: [String] {
    guard let content = try? LoopbackValue(json: Array(body)) else { return [] }
    let parts = content["requests"]?.array ?? [["path": .string(path), "body": content]]
    return parts.compactMap { part in
      guard part["body"]?["count"]?["__op"] == "Increment" else { return nil }
      return part["path"]?.string?.split(separator: "/").last.map(String.init)
    }
  }
}
