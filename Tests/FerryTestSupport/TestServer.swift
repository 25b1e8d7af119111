// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
package import FerryParse
package import Foundation
package import LoopbackParse
package import Testing

/// The server a test works against: the double, or a real Parse Server that is set up alike.
///
/// ```swift
/// @Test(arguments: TestServer.Kind.all) func editsArrive(on kind: TestServer.Kind) throws {
///   let server = try TestServer(kind)
///   let id = try server.create("Game", ["title": "a"])
/// ```
///
/// It holds nothing at first. When its last reference goes, whatever a client sent to the double that
/// would harm a real server is an issue of the test.
package final class TestServer: Sendable {
  /// Which of the two.
  package enum Kind: String, Sendable, CustomTestStringConvertible {
    case double, real

    /// The double, and the real one where it can be started.
    package static let all: [Kind] = RealServer.script == nil ? [.double] : [.double, .real]

    /// The double alone, for a reason.
    package static func doubleOnly(_ reason: Comment) -> [Kind] { [.double] }

    /// Seeds for generated worlds: many for the double, and the first few for the real one.
    package static func seeds(_ count: UInt64, onReal few: UInt64) -> [(Kind, UInt64)] {
      all.flatMap { kind in (0..<(kind == .double ? count : few)).map { (kind, $0) } }
    }

    package var testDescription: String { "the \(self) server" }
  }

  /// Where it answers, mount path included.
  package let url: URL
  private let double: LoopbackServer?
  private let lease: RealServerLease?
  private let transport = CurlTransport()
  let takesBatches: Bool

  /// A server with nothing in it; the real one may have served another test before.
  package init(_ kind: Kind = .double, _ options: TestServerOptions = .init()) throws {
    takesBatches = !options.breaksBatches
    switch kind {
    case .double:
      let server = try LoopbackServer(options.forDouble)
      if let duration = options.cloudCode?.duration, duration > .zero {
        server.setFault { $0.isWrite ? .slowCommit(duration) : nil }
      }
      (double, lease, url) = (server, nil, try server.address)
    case .real:
      let lease = try RealServerLease(options.forReal)
      (double, self.lease, url) = (nil, lease, lease.url)
      try empty()
    }
  }

  /// The double, with options that only it has.
  package init(double server: LoopbackServer) throws {
    takesBatches = !server.backend.configuration.brokenBatch
    (double, lease, url) = (server, nil, try server.address)
  }

  deinit {
    for violation in double?.violations ?? [] {
      Issue.record("What was sent does harm to a real server: \(violation)")
    }
  }

  /// The server as a device knows it, with the master key unless told otherwise.
  package func known(asMaster isMaster: Bool = true) -> ParseServer {
    ParseServer(url: url, applicationID: "app1", keys: isMaster ? [.master("mk")] : [])
  }

  /// The answer to one request beside the devices' backs.
  ///
  /// JSON is written and read by the double's own code, not by Ferry's, so that a mistake there
  /// cannot cancel itself out.
  package func answer(_ call: Call) throws -> LoopbackResponse {
    try answers([call])[0]
  }

  func answers(_ calls: [Call]) throws -> [LoopbackResponse] {
    guard let double else {
      let requests = try calls.map(request)
      return try transport.sendAll(requests).map { LoopbackResponse(try $0.get()) }
    }
    return double.withBackend { backend in
      let mount = backend.configuration.mountPath
      return calls.map { call in
        backend.answer(
          LoopbackRequest(
            call.method.rawValue, mount + call.path, headers: call.headers.forDouble,
            json: call.body))
      }
    }
  }

  private func request(_ call: Call) throws -> HTTPRequest {
    guard let url = URL(string: url.absoluteString + call.path) else { throw URLError(.badURL) }
    return HTTPRequest(
      call.method, url, headers: call.headers, body: Data(call.body.text.utf8))
  }

  /// Puts rows with dates of their own into the double; nil where the server is a real one.
  func loadIntoDouble(_ className: String, _ rows: [Row]) throws -> [String]? {
    guard let double else { return nil }
    let ids = rows.map {
      $0["objectId"]?.string ?? String(UInt64.random(in: 0 ... .max), radix: 36)
    }
    let named = zip(rows, ids).map { row, id -> LoopbackValue in
      .object(row.merging(["objectId": .string(id)]) { $1 })
    }
    try double.withBackend { backend throws(LoopbackError) in
      try backend.load([className: .array(named)])
    }
    return ids
  }
}

extension LoopbackServer {
  fileprivate var address: URL {
    get throws {
      guard let url = URL(string: url) else { throw URLError(.badURL) }
      return url
    }
  }
}

extension LoopbackRequest {
  /// Whether it is no question that travels as a POST, by itself or in a batch.
  fileprivate var isWrite: Bool {
    let items = json?["requests"]?.array ?? []
    return method != "GET" && json?["_method"] == nil
      && (items.isEmpty || items.contains { $0["method"]?.string != "GET" })
  }
}

extension HTTPHeaders {
  fileprivate var forDouble: LoopbackHeaders {
    var headers = LoopbackHeaders()
    for field in fields { headers[field.name] = field.value }
    return headers
  }
}

extension LoopbackResponse {
  fileprivate init(_ response: HTTPResponse) {
    self.init(status: response.status, body: Array(response.body))
  }
}
