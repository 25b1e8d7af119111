// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server over real sockets, through a client that is not Ferry's.
@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
  private struct Answer: Sendable {
    let status: Int
    let json: LoopbackValue?
    let headers: [String: String]
  }

  private func send(
    _ server: LoopbackServer, _ method: String, _ path: String, _ body: LoopbackValue? = nil,
    timeout: TimeInterval = 20
  ) async throws -> Answer {
    let url = try #require(URL(string: server.url + path))
    var request = URLRequest(url: url, timeoutInterval: timeout)
    request.httpMethod = method
    request.setValue("app1", forHTTPHeaderField: "X-Parse-Application-Id")
    request.setValue("mk", forHTTPHeaderField: "X-Parse-Master-Key")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body.map { Data($0.text.utf8) }
    // A new session: a kept connection would silently be tried again.
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return Answer(
      status: http.statusCode, json: try? LoopbackValue(json: Array(data)),
      headers: http.allHeaderFields as? [String: String] ?? [:])
  }

  @Test func `rows travel over a socket`() async throws {
    let server = try LoopbackServer()
    let text = String(repeating: "é", count: 200_000)
    let made = try await send(server, "POST", "/classes/Game", ["title": .string(text)])
    #expect(made.status == 201)
    #expect(made.headers["Date"] != nil)
    let id = try #require(made.json?["objectId"]?.string)
    #expect(made.headers["Location"] == "\(server.url)/classes/Game/\(id)")
    let read = try await send(server, "GET", "/classes/Game/\(id)?keys=title")
    #expect(read.json?["title"] == .string(text))
    #expect(server.backend.objects(of: "Game").count == 1)
    #expect(server.requestCount == 2)
    #expect(server.exchanges.map(\.status) == [201, 200])
    #expect(server.exchanges.allSatisfy { $0.request.headers["X-Parse-Master-Key"] == nil })
    #expect(server.exchanges.last?.request.target == "/parse/classes/Game/\(id)?keys=title")
    server.forgetExchanges()
    #expect(server.requestCount == 0)
    server.stop()
  }

  @Test func `an id with a slash reaches its row`() async throws {
    let server = try LoopbackServer()
    try server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("T", ["objectId": "a/b é"])
    }
    let read = try await send(server, "GET", "/classes/T/a%2Fb%20%C3%A9")
    #expect(read.json?["objectId"] == "a/b é")
  }

  @Test func `a request may be lost before it is done, or its answer after`() async throws {
    let server = try LoopbackServer()
    server.setFault { $0.method == "POST" ? .requestLost : nil }
    await #expect(throws: URLError.self) { try await send(server, "POST", "/classes/T", [:]) }
    #expect(server.backend.count(of: "T") == 0)
    server.setFault { $0.method == "PUT" ? .answerLost : nil }
    try server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("T", ["objectId": "t", "n": 1])
    }
    await #expect(throws: URLError.self) {
      try await send(server, "PUT", "/classes/T/t", ["n": 2])
    }
    #expect(server.backend.object("T", "t")?["n"] == 2)
    server.setFault(nil)
    #expect(try await send(server, "GET", "/classes/T/t").status == 200)
    #expect(server.exchanges.map(\.status).contains(nil))
  }

  @Test func `a body may end before its end`() async throws {
    let server = try LoopbackServer()
    server.setFault { _ in .truncated(bytes: 3) }
    await #expect(throws: URLError.self) { try await send(server, "GET", "/classes/T") }
    #expect(server.exchanges.last?.responseSize == 3)
  }

  @Test func `another answer may take the place of the server's`() async throws {
    let server = try LoopbackServer()
    server.setFault { _ in
      .respond(
        LoopbackResponse(
          status: 429, headers: ["Retry-After": "7"],
          json: ["code": 100, "error": "Too many requests."]))
    }
    let answer = try await send(server, "POST", "/classes/T", [:])
    #expect(answer.status == 429)
    #expect(answer.headers["Retry-After"] == "7")
    #expect(server.backend.count(of: "T") == 0)
  }

  @Test func `a slow commit shows late, below what came after it`() async throws {
    let server = try LoopbackServer()
    server.setFault { request in
      request.json?["slow"] == true ? .slowCommit(.seconds(60)) : nil
    }
    let slow = Task { try await send(server, "POST", "/classes/T", ["slow": true]) }
    while server.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(20))
    _ = try await send(server, "POST", "/classes/T", ["slow": false])
    #expect(server.backend.count(of: "T") == 1)
    // Stopping the server ends the delay, and the commit follows.
    server.stop()
    _ = await slow.result
    let rows = server.backend.objects(of: "T").sorted { first, second in
      (first["createdAt"]?.string ?? "") < (second["createdAt"]?.string ?? "")
    }
    #expect(rows.map { $0["slow"] } == [true, false])
  }

  @Test func `many connections are answered at once and nothing is lost`() async throws {
    let server = try LoopbackServer()
    try server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("T", ["objectId": "t", "n": 0])
    }
    let meeting = Meeting(of: 12)
    server.setFault { _ in
      meeting.attend()
      return nil
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask {
          let body: LoopbackValue = ["n": ["__op": "Increment", "amount": 1]]
          _ = try await send(server, "PUT", "/classes/T/t", body)
        }
      }
      try await group.waitForAll()
    }
    #expect(server.backend.object("T", "t")?["n"] == 12)
    #expect(meeting.wasComplete)
  }

  @Test func `connections are counted while they are open`() async throws {
    let server = try LoopbackServer()
    let (meeting, parting) = (Meeting(of: 3), Meeting(of: 3))
    let counts = Mutex<[Int]>([])
    server.setFault { _ in
      meeting.attend()
      counts.withLock { $0.append(server.connectionCount) }
      parting.attend()
      return nil
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { _ = try await send(server, "GET", "/health") }
      }
      try await group.waitForAll()
    }
    let seen = counts.withLock { $0 }
    #expect(seen == [3, 3, 3])
    // Each client has ended its session.
    let areClosed = server.waitForConnections(atMost: 0)
    #expect(areClosed && server.connectionCount == 0)
    let none = try LoopbackServer().waitForConnections(atMost: 0, for: .zero)
    #expect(none)
  }

  @Test func `stopping ends delays, and frees the port for another server`() async throws {
    let server = try LoopbackServer()
    server.setFault { _ in .slowAnswer(.seconds(60)) }
    let request = Task { try await send(server, "GET", "/classes/T") }
    while server.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let start = ContinuousClock.now
    server.stop()
    #expect(ContinuousClock.now - start < .seconds(5))
    _ = await request.result
    server.stop()
    let next = try LoopbackServer(port: server.port)
    #expect(next.port == server.port)
    #expect(try await send(next, "GET", "/classes/T").status == 200)
  }

  @Test func `a port in use is refused with a sentence`() throws {
    let server = try LoopbackServer()
    _ = withExtendedLifetime(server) {
      #expect {
        try LoopbackServer(port: server.port)
      } throws: { error in
        String(describing: error).contains("cannot listen on port \(server.port)")
      }
    }
  }

  @Test func `fifty servers come and go and leave no descriptor behind`() throws {
    func descriptors() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
    try LoopbackServer().stop()
    let before = descriptors()
    for _ in 0..<50 { try LoopbackServer().stop() }
    // Other tests run meanwhile; a leak would be at least fifty.
    #expect(descriptors() < before + 40)
  }
}
