// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// Calls of functions of Cloud Code, on the double and on a real server.
@Suite(.timeLimit(.minutes(3))) struct CloudFunctionsTests {
  private struct Trip: Codable, Equatable, Sendable {
    var title: String
    var seats: Int
    var price: Double
    var isOpen: Bool
    var start: Date
    var ticket: Data
    var league: Pointer
    var place: GeoPoint
    var tags: [String]
    var note: String?
    var stops: [Stop]
  }

  private struct Stop: Codable, Equatable, Sendable {
    var name: String
    var time: Date?
  }

  private struct Game: Decodable, Sendable {
    var objectId: String
    var title: String
    var playedAt: Date
    var createdAt: Date
  }

  private static let moment = Date(timeIntervalSince1970: 1_706_933_106.789)

  private static let trip = Trip(
    title: "Über “alle” Berge\n", seats: 4, price: 12.5, isOpen: true, start: moment,
    ticket: Data([0, 255, 7]), league: Pointer(className: "League", objectID: "l1"),
    place: GeoPoint(latitude: 48.25, longitude: 16.5), tags: ["a", ""], note: nil,
    stops: [Stop(name: "Graz", time: moment), Stop(name: "Wien")])

  @Test(arguments: TestServer.Kind.all)
  func `parameters and results have Swift types`(on kind: TestServer.Kind) async throws {
    let world = try FunctionWorld(kind)
    let functions = world.functions()
    let trip: Trip = try await functions.call("echo", Self.trip)
    #expect(trip == Self.trip)
    // The note alone is left out.
    #expect(try await functions.call("count", Self.trip) == 10)
    #expect(try await functions.call("count", returning: Int.self) == 0)
    let game: Game = try await functions.call("game")
    #expect(game.objectId == "g1" && game.title == "Final")
    for time in [game.playedAt, game.createdAt] {
      #expect(abs(time.timeIntervalSince(Self.moment)) < 0.000_5)
    }
    try await functions.call("nothing")
    #expect(try await functions.call("nothing", returning: Int?.self) == nil)
    #expect(try await functions.call("count", ["a": 1], returning: Int?.self) == 1)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a refusal has its number and its words`(on kind: TestServer.Kind) async throws {
    let world = try FunctionWorld(kind)
    let refused = await world.error { f throws(FunctionError) in try await f.call("refuse") }
    #expect(refused?.code == .refused && refused?.refusal?.code?.rawValue == 777)
    #expect(refused?.message.contains("not today") == true)
    let failed = await world.error { f throws(FunctionError) in try await f.call("fail") }
    #expect(failed?.code == .refused && failed?.message.contains("it failed") == true)
    for name in ["absent", "echo2", "a b", "echo/..", "../classes/Game", "écho", "%00"] {
      let absent = await world.error { f throws(FunctionError) in try await f.call(name) }
      #expect(absent?.code == .noFunction, "\(name): \(absent?.message ?? "no error")")
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `a call is made in the session of the moment`(on kind: TestServer.Kind) async throws {
    let world = try FunctionWorld(kind)
    let token = try world.server.signUp("anna").token
    #expect(
      try await world.functions { Secret(token) }.call("count", ["a": 1], returning: Int.self) == 1)
    let sent = world.network.exchanges.last?.request.headers["X-Parse-Session-Token"]
    #expect(sent == token)
    world.network.forget()
    do {
      try await world.functions { Secret("r:ended") }.call("nothing")
      Issue.record("A session that has ended was accepted.")
    } catch {
      #expect(error.code == .loginNeeded && !error.message.contains("r:ended"))
    }
    #expect(world.network.requestCount == 1)
  }

  /// A function may add to a counter, so that a second call would add again.
  @Test func `a call without an answer is made once, and its outcome is unknown`() async throws {
    for fault in [TestNetwork.Fault.requestLost, .answerLost, .answerCut(3)] {
      let world = try FunctionWorld()
      world.network.setFault { _ in fault }
      let error = await world.error { f throws(FunctionError) in try await f.call("nothing") }
      #expect(error?.code == .outcomeUnknown, "\(fault)")
      #expect(world.network.requestCount == 1)
    }
  }

  private static let answers: [(String, Int, String, FunctionError.Code)] = [
    ("a page", 200, "<html>Welcome</html>", .outcomeUnknown),
    ("a gateway's page", 502, "<html>Bad gateway</html>", .outcomeUnknown),
    ("nothing", 200, "", .outcomeUnknown),
    ("a list", 200, "[]", .outcomeUnknown),
    ("another object", 200, #"{"results":[]}"#, .outcomeUnknown),
    ("a key twice", 200, #"{"result":{"a":1,"a":2}}"#, .outcomeUnknown),
    ("a cut answer", 200, #"{"result":{"a":"#, .outcomeUnknown),
    ("an internal error", 500, #"{"code":1,"error":"Internal server error."}"#, .outcomeUnknown),
    ("a rate limit", 429, "Too many requests", .tryAgain),
    ("no such address", 404, "Cannot POST", .configuration),
    ("a key that is refused", 403, #"{"error":"unauthorized"}"#, .configuration),
    ("no right", 400, #"{"code":119,"error":"Permission denied"}"#, .refused),
    ("too much", 413, "Payload too large", .refused),
  ]

  @Test func `an answer that is none of a function has its own error`() async throws {
    for (name, status, body, code) in Self.answers {
      let world = try FunctionWorld()
      let answer = HTTPResponse(status: status, headers: [:], body: Data(body.utf8))
      world.network.setFault { _ in .answered(answer) }
      let error = await world.error { f throws(FunctionError) in try await f.call("nothing") }
      #expect(error?.code == code, "\(name): \(error?.message ?? "no error")")
      #expect(world.network.requestCount == 1, "\(name)")
    }
  }

  @Test func `a result of another form is announced with its place`() async throws {
    let world = try FunctionWorld()
    let functions = world.functions()
    do {
      _ = try await functions.call(
        "echo", ["stops": [["name": 7]]], returning: [String: [Stop]].self)
      Issue.record("A number was taken for a text.")
    } catch {
      #expect(error.code == .unexpectedResult)
      #expect(error.message.contains("At stops.0.name: 7 is not a String."), "\(error)")
    }
  }

  private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws { throw Mishap() }
  }

  private struct Mishap: Error {}

  @Test func `parameters that cannot be sent are refused before anything is sent`() async throws {
    let world = try FunctionWorld()
    let functions = world.functions()
    var deep: Value = []
    for _ in 0..<200 { deep = .array([deep]) }
    let calls: [(String, () async throws(FunctionError) -> Void)] = [
      ("no names", { () throws(FunctionError) in try await functions.call("echo", "text") }),
      ("a list", { () throws(FunctionError) in try await functions.call("echo", [1, 2]) }),
      (
        "infinity",
        { () throws(FunctionError) in try await functions.call("echo", ["a": Double.infinity]) }
      ),
      ("too deep", { () throws(FunctionError) in try await functions.call("echo", ["a": deep]) }),
      (
        "too large",
        { () throws(FunctionError) in try await functions.call("echo", ["a": UInt64.max]) }
      ),
      (
        "the verb",
        { () throws(FunctionError) in try await functions.call("echo", ["_method": "GET"]) }
      ),
      ("it throws", { () throws(FunctionError) in try await functions.call("echo", Endless()) }),
      ("no function", { () throws(FunctionError) in try await functions.call("") }),
      ("dots", { () throws(FunctionError) in try await functions.call("..") }),
    ]
    for (name, call) in calls {
      do {
        try await call()
        Issue.record("\(name) was sent.")
      } catch {
        #expect(error.code == .invalidParameters, "\(name): \(error)")
        #expect(error.message.hasSuffix("Nothing was sent."), "\(error)")
      }
    }
    #expect(world.network.requestCount == 0)
  }

  @Test func `an app without a token at hand sends nothing`() async throws {
    let world = try FunctionWorld()
    do {
      try await world.functions(token: { throw Mishap() }).call("nothing")
      Issue.record("The call was made without a token.")
    } catch {
      #expect(error.code == .sessionUnavailable)
    }
    do {
      let functions = world.functions(timeout: .milliseconds(50)) {
        try await Task.sleep(for: .seconds(600))
        return nil
      }
      try await functions.call("nothing")
      Issue.record("The call was made without a token.")
    } catch {
      #expect(error.code == .sessionUnavailable)
    }
    #expect(world.network.requestCount == 0)
  }

  @Test func `a slow function ends with the limit, and a cancelled call at once`() async throws {
    let slow = try LoopbackServer(LoopbackConfiguration())
    slow.setFault { _ in .slowCommit(.seconds(8)) }
    let server = ParseServer(
      url: try #require(URL(string: "http://127.0.0.1:\(slow.port)/parse")), applicationID: "app1")
    let start = ContinuousClock.now
    do {
      try await CloudFunctions(server: server, timeout: .seconds(1)).call("nothing")
      Issue.record("The limit was not kept.")
    } catch {
      #expect(error.code == .outcomeUnknown)
    }
    #expect(ContinuousClock.now - start < .seconds(7))
    let call = Task { () async -> FunctionError? in
      do {
        try await CloudFunctions(server: server).call("nothing")
        return nil
      } catch {
        return error as? FunctionError
      }
    }
    try await Task.sleep(for: .milliseconds(300))
    let cancelled = ContinuousClock.now
    call.cancel()
    #expect([.outcomeUnknown, .cancelled].contains(await call.value?.code))
    #expect(ContinuousClock.now - cancelled < .seconds(5))
  }
}
