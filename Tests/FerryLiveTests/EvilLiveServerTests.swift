// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import FerryPlanning
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A server of live queries that sends what no Parse Server sends: nothing is lost, and the app listens again.
@Suite(.timeLimit(.minutes(5))) struct EvilLiveServerTests {
  /// A frame of text without a mask, as a server sends it.
  private static func frame(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    let head =
      count < 126 ? [0x81, UInt8(count)] : [0x81, 126, UInt8(count >> 8), UInt8(count & 255)]
    return head + Array(text.utf8)
  }

  /// The bytes that a server sends out of turn.
  static let nonsense: [(name: String, bytes: [UInt8])] = [
    ("the head of a frame of 1 GB", [0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0]),
    ("half a frame", [0x81, 100] + Array("{\"op\":".utf8)),
    ("a frame with reserved bits", [0xF1, 2, 0x7B, 0x7D]),
    ("a frame of an unknown kind", [0x83, 0]),
    ("a long ping", [0x89, 126, 0, 200] + [UInt8](repeating: 0, count: 200)),
    ("a close", [0x88, 0]),
    ("bytes without a frame", Array("HTTP/1.1 200 OK\r\n\r\n".utf8)),
    ("no JSON", frame("hello")),
    ("deep nesting", frame(String(repeating: "[", count: 5_000))),
    ("no UTF-8", [0x81, 4, 0xFF, 0xFE, 0xFF, 0xFE]),
    (
      "an event of an unknown query",
      frame(#"{"op":"update","requestId":99,"object":{"objectId":"x"}}"#)
    ),
    ("an event without a record", frame(#"{"op":"update","requestId":1}"#)),
    (
      "an event of another class",
      frame(#"{"op":"create","requestId":1,"object":{"className":"_User","objectId":"u"}}"#)
    ),
    (
      "an event with a hostile id",
      frame(#"{"op":"delete","requestId":2,"object":{"objectId":"../../x"}}"#)
    ),
    ("an error", frame(#"{"op":"error","code":1,"error":"x","reconnect":true,"requestId":null}"#)),
    (
      "a refusal of a class that was accepted",
      frame(#"{"op":"error","code":119,"error":"x","reconnect":false,"requestId":1}"#)
    ),
    ("a second greeting", frame(#"{"op":"connected","clientId":"x"}"#)),
  ]

  @Test(arguments: nonsense.map(\.name)) func `nothing is lost after`(_ name: String) async throws {
    let server = try LoopbackServer(TestServerOptions().forDouble)
    let world = try SyncWorld(TestServer(double: server))
    let id = try world.server.create("Game", ["title": "first"])
    let listener = try await Listener(world.device())
    let bytes = try #require(Self.nonsense.first { $0.name == name }).bytes
    server.sendToLiveClients(bytes)
    // Later bytes belong to half a frame, so the connection must end before anything is understood again.
    if name.hasSuffix("a frame") || name.contains("1 GB") { server.cutLiveClients() }
    try world.server.send(.put, "/classes/Game/\(id)", ["title": "second"])
    #expect(await listener.shows("second", of: id))
    let rows = try await listener.device.store.read { try $0.count(of: "Game") }
    #expect(rows == 1)
    await listener.end()
  }

  @Test func `a flood of events costs a sync a second at most, and no memory`() async throws {
    let server = try LoopbackServer(TestServerOptions().forDouble)
    let world = try SyncWorld(TestServer(double: server))
    let id = try world.server.create("Game", ["title": "first"])
    let listener = try await Listener(world.device())
    let count = listener.running.count
    let start = ContinuousClock.now
    for number in 0..<20_000 {
      server.sendToLiveClients(
        Self.frame(#"{"op":"update","requestId":2,"object":{"objectId":"forged\#(number)"}}"#))
    }
    try world.server.send(.put, "/classes/Game/\(id)", ["title": "second"])
    #expect(await listener.shows("second", of: id))
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(Double(listener.running.count - count) <= seconds + 2)
    await listener.end()
  }

  @Test func `a silent server counts as lost`() async throws {
    let (listener, port) = try LocalSocket.listen(at: 0)
    defer { close(listener) }
    let world = try SyncWorld(.double)
    let live = LiveQueries(
      of: try world.device().coordinator, transport: WebSocketClient(),
      address: URL(string: "ws://127.0.0.1:\(port)/"),
      limits: WebSocketLimits(connectTimeout: .seconds(1)))
    let listening = Task { await live.run() }
    for await case .waiting in live.states { break }
    listening.cancel()
    await listening.value
  }
}
