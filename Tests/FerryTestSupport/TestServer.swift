// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
package import FerryParse
package import Foundation
package import LoopbackParse
package import Testing

/// The server of a test: the double, or a real Parse Server with the same setup.
///
/// ```swift
/// @Test(arguments: TestServer.Kind.all) func `an edit arrives`(on kind: TestServer.Kind) throws {
///   let server = try TestServer(kind)
///   let id = try server.create("Game", ["title": "a"])
/// ```
///
/// It is empty at first. The test fails at the end if a client sent the double a request that would
/// harm a real server.
package final class TestServer: Sendable {
  /// The kind of server.
  package enum Kind: String, Sendable, CustomTestStringConvertible {
    case double, real

    /// The double, and the real server if it can be started.
    package static let all: [Kind] = RealServer.script == nil ? [.double] : [.double, .real]

    /// Only the double, with the reason.
    package static func doubleOnly(_ reason: Comment) -> [Kind] { [.double] }

    /// Seeds for generated worlds: many for the double, and the first few for the real server.
    package static func seeds(_ count: UInt64, onReal few: UInt64) -> [(Kind, UInt64)] {
      all.flatMap { kind in (0..<(kind == .double ? count : few)).map { (kind, $0) } }
    }

    package var testDescription: String { "the \(self) server" }
  }

  /// The server's address, mount path included.
  package let url: URL
  private let double: LoopbackServer?
  private let lease: RealServerLease?
  private let transport = CurlTransport()
  let takesBatches: Bool

  /// An empty server; the real one may have served another test before.
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
      Issue.record("A request would harm a real server: \(violation)")
    }
  }

  /// The server as a device knows it, by default with the master key.
  package func known(asMaster isMaster: Bool = true) -> ParseServer {
    ParseServer(url: url, applicationID: "app1", keys: isMaster ? [.master("mk")] : [])
  }

  /// The answer to one direct request of the test.
  ///
  /// The double's code reads and writes the JSON, not Ferry's, so that a mistake in Ferry cannot
  /// cancel itself out.
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

  /// Adds rows with given dates to the double; nil if the server is a real one.
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
  /// Whether it is a write, and not a query that travels as a POST, alone or in a batch.
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
