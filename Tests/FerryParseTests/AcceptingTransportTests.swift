// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AcceptingTransportTests {
  /// Gives every read the same answer, and records the requests that reach it.
  private final class FixedTransport: HTTPTransport {
    let answer: String
    let status: Int
    let received = Mutex<[String]>([])

    init(_ answer: String, status: Int = 200) {
      self.answer = answer
      self.status = status
    }

    func run<Failure: Error>(
      _ requests: [HTTPRequest], cancellation: CancellationSignal,
      completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
    ) throws(Failure) {
      var waiting = requests
      while !waiting.isEmpty {
        let request = waiting.removeFirst()
        received.withLock { $0.append("\(request.method.rawValue) \(request.url.path())") }
        waiting += try completed(request, .success(Sample.response(status, answer)))
      }
    }
  }

  private let requests = ParseRequests(Sample.server)
  private let stamp = "2026-03-01T18:30:00.250Z"

  private func accepting(_ inner: FixedTransport) -> AcceptingTransport {
    let number = Mutex(0)
    let stamp = Timestamp(stamp) ?? .earliest
    return AcceptingTransport(inner, server: Sample.server, now: { stamp }) {
      number.withLock {
        $0 += 1
        return "made\($0)"
      }
    }
  }

  private static let page =
    #"{"results":[{"objectId":"a","updatedAt":"T","title":"x","n":1},{"objectId":"b","updatedAt":"T"}],"count":2}"#

  private func rows(_ response: HTTPResponse) throws -> [[String: Value]] {
    guard case .object(let page) = try Value(json: String(decoding: response.body, as: UTF8.self)),
      case .array(let rows)? = page["results"]
    else { return [] }
    return rows.compactMap { if case .object(let row) = $0 { row } else { nil } }
  }

  private func ids(_ response: HTTPResponse) throws -> [Value?] {
    try rows(response).map { $0["objectId"] }
  }

  @Test func `the transport of a dry run answers single writes itself`() throws {
    let inner = FixedTransport(Self.page)
    let transport = accepting(inner)
    let responses = ParseResponses()
    for (operation, status, answer) in [
      (
        .create(className: "Game", body: ["title": "x"]), 201,
        .created(ParseCreated(objectID: "made1", createdAt: stamp))
      ),
      (
        .create(className: "Game", body: ["objectId": "own"]), 201,
        .created(ParseCreated(objectID: "own", createdAt: stamp))
      ),
      (
        .update(className: "Game", objectID: "a b", body: ["title": "y"]), 200,
        .updated(ParseUpdated(updatedAt: stamp))
      ),
      (.delete(className: "Game", objectID: "b"), 200, .deleted),
    ] as [(WriteOperation, Int, WriteAnswer)] {
      let response = try transport.send(requests.write(operation))
      #expect(response.status == status)
      #expect(try responses.write(operation, response) == answer)
    }
    #expect(inner.received.withLock { $0 }.isEmpty)
  }

  @Test func `the transport of a dry run answers batches of writes by position`() throws {
    let inner = FixedTransport(Self.page)
    let operations: [WriteOperation] = [
      .delete(className: "Game", objectID: "a"), .create(className: "Game", body: [:]),
      .update(className: "Game", objectID: "b", body: [:]), .create(className: "League", body: [:]),
    ]
    let response = try accepting(inner).send(requests.batch(writing: operations))
    let answers = try ParseResponses().batch(operations, response)
    #expect(
      answers == [
        .success(.deleted), .success(.created(ParseCreated(objectID: "made1", createdAt: stamp))),
        .success(.updated(ParseUpdated(updatedAt: stamp))),
        .success(.created(ParseCreated(objectID: "made2", createdAt: stamp))),
      ])
    #expect(inner.received.withLock { $0 }.isEmpty)
  }

  @Test func `the transport of a dry run refuses creates that need a login`() throws {
    let transport = AcceptingTransport(
      FixedTransport(Self.page), server: Sample.server, closedClasses: ["Game"],
      now: { .earliest }, makeID: { "made" })
    let create = WriteOperation.create(className: "Game", body: [:])
    let others: [WriteOperation] = [
      .create(className: "League", body: [:]), .update(className: "Game", objectID: "a", body: [:]),
      .delete(className: "Game", objectID: "b"),
    ]
    let responses = ParseResponses()
    let single = try transport.send(requests.write(create))
    #expect {
      try responses.write(create, single)
    } throws: {
      ($0 as? ParseError)?.meaning == .notFoundOrForbidden
    }
    let batch = try transport.send(requests.batch(writing: others + [create]))
    let answers = try responses.batch(others + [create], batch)
    #expect(answers.map { (try? $0.get()) != nil } == [true, true, true, false])
  }

  @Test
  func
    `the transport of a dry run lets reads pass, byte for byte, while nothing of their class was written`()
    throws
  {
    let inner = FixedTransport(Self.page)
    let transport = accepting(inner)
    _ = try transport.send(requests.write(.delete(className: "League", objectID: "a")))
    let response = try transport.send(requests.find("Game", ParseQuery()))
    #expect(response.body == Data(Self.page.utf8))
    #expect(inner.received.withLock { $0 } == ["POST /parse/classes/Game"])
  }

  @Test func `the transport of a dry run shows what was written in later answers`() throws {
    let transport = accepting(FixedTransport(Self.page))
    _ = try transport.send(
      requests.batch(writing: [
        .update(
          className: "Game", objectID: "a",
          body: ["title": ["__op": "Delete"], "n": ["__op": "Increment", "amount": 1], "s": "new"]),
        .delete(className: "Game", objectID: "b"),
        .create(className: "Game", body: ["ferryKey": "k1"]),
      ]))
    let listing = try transport.send(requests.find("Game", ParseQuery()))
    #expect(
      try rows(listing) == [["objectId": "a", "updatedAt": .string(stamp), "n": 1, "s": "new"]])
    for lookup in [
      .oneOf("objectId", ["a", "made1"]), .equal("ferryKey", "k1"),
      .oneOf("ferryKey", ["k1", "k2"]),
      .all([.equal("objectId", "made1"), .equal("ferryKey", "k1")]),
    ] as [ParseConstraint] {
      #expect(try ids(transport.send(requests.find("Game", ParseQuery(lookup)))) == ["a", "made1"])
    }
    for listing in [
      .equal("ferryKey", "k2"), .exists("ferryKey", true),
      .compare("updatedAt", .greaterThan, "2000"),
      .all([.equal("ferryKey", "k1"), .equal("title", "x")]), .any([.equal("ferryKey", "k1")]),
    ] as [ParseConstraint] {
      #expect(try ids(transport.send(requests.find("Game", ParseQuery(listing)))) == ["a"])
    }
  }

  @Test func `the transport of a dry run follows a row through create, update and delete`() throws {
    let transport = accepting(FixedTransport(#"{"results":[]}"#))
    let lookup = try requests.find("Game", ParseQuery(.equal("objectId", "made1")))
    _ = try transport.send(requests.write(.create(className: "Game", body: ["a": 1, "b": 2])))
    _ = try transport.send(
      requests.write(
        .update(className: "Game", objectID: "made1", body: ["a": ["__op": "Delete"], "b": 3])))
    #expect(
      try rows(transport.send(lookup)) == [
        ["objectId": "made1", "createdAt": .string(stamp), "updatedAt": .string(stamp), "b": 3]
      ])
    _ = try transport.send(requests.write(.delete(className: "Game", objectID: "made1")))
    #expect(try rows(transport.send(lookup)).isEmpty)
  }

  @Test func `the transport of a dry run shows what was written in batches of queries`() throws {
    let answer = #"[{"success":\#(Self.page)},{"error":{"code":119,"error":"x"}}]"#
    let transport = accepting(FixedTransport(answer))
    _ = try transport.send(requests.write(.delete(className: "Game", objectID: "a")))
    let response = try transport.send(
      requests.batch(reading: [("Game", ParseQuery()), ("Game", ParseQuery())]))
    let pages = try ParseResponses().batchPages(response, count: 2)
    #expect(try ids(Sample.response(200, String(decoding: pages[0].get(), as: UTF8.self))) == ["b"])
    #expect(throws: ParseError.self) { try pages[1].get() }
  }

  @Test func `the transport of a dry run leaves refusals as they are`() throws {
    let transport = accepting(FixedTransport(Self.page, status: 500))
    _ = try transport.send(requests.write(.delete(className: "Game", objectID: "a")))
    #expect(try transport.send(requests.find("Game", ParseQuery())).body == Data(Self.page.utf8))
  }

  @Test
  func `the transport of a dry run refuses writes that it cannot answer, and sends none of them`()
    throws
  {
    let inner = FixedTransport(Self.page)
    let transport = accepting(inner)
    var foreign = try requests.write(.delete(className: "Game", objectID: "a"))
    foreign.url = URL(string: "http://127.0.0.1:1337/parse/jobs/x") ?? foreign.url
    for request in [
      requests.login(username: "u", password: Secret("p")), requests.logout(), foreign,
    ] {
      let error = #expect(throws: HTTPError.self) { try transport.send(request) }
      #expect(error?.outcome == .notSent)
    }
    #expect(inner.received.withLock { $0 }.isEmpty)
  }

  @Test
  func
    `the transport of a dry run runs reads and writes that lead to one another, and ends when cancelled`()
    throws
  {
    let inner = FixedTransport(Self.page)
    let transport = accepting(inner)
    let find = try requests.find("Game", ParseQuery())
    let write = try requests.write(.create(className: "Game", body: [:]))
    var order: [String] = []
    transport.run([write, find], cancellation: CancellationSignal()) { request, _ in
      order.append(request.isWrite ? "write" : "read")
      return order.count < 5 ? [request.isWrite ? find : write] : []
    }
    #expect(order == ["write", "read", "write", "read", "write", "read"])
    let cancelled = CancellationSignal()
    cancelled.cancel()
    let error = #expect(throws: HTTPError.self) {
      try transport.send(write, cancellation: cancelled)
    }
    #expect(error?.code == .cancelled)
  }
}
