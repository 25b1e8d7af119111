// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryModel
import Foundation
import LoopbackParse
import Synchronization

/// A server that is the double, in whatever clothes.
protocol LoopbackStoryServer: StoryServer {
  func withBackend<Result: Sendable>(
    _ body: (inout LoopbackBackend) throws(LoopbackError) -> Result
  ) throws(LoopbackError) -> Result
}

extension LoopbackStoryServer {
  /// The double's triggers read the rules where they are changed.
  func apply(_ rules: ServerRules) {}

  func restart(logging classNames: [String]) throws {
    try withBackend { backend throws(LoopbackError) in
      backend.ferryModule = classNames.isEmpty ? nil : LoopbackFerryModule(classes: classNames)
    }
  }

  func rows(of className: String) throws -> [LoopbackValue] {
    try withBackend { backend throws(LoopbackError) in backend.objects(of: className) }
  }

  func fileNames() throws -> [String] {
    try withBackend { backend throws(LoopbackError) in backend.fileNames }
  }

  func load(_ rows: [LoopbackValue], into className: String) throws -> [String] {
    try withBackend { backend throws(LoopbackError) in
      let stamp = Timestamp(backend.configuration.now()).description
      let stamped = rows.map { row in
        var members = row.object ?? [:]
        members["updatedAt"] = .string(stamp.replacing("Z", with: "250Z"))
        return LoopbackValue.object(members)
      }
      try backend.load(.object([className: .array(stamped)]))
    }
    return rows.compactMap { $0["objectId"]?.string }
  }

  func replace(_ row: LoopbackValue, of className: String) throws {
    try withBackend { backend throws(LoopbackError) in
      try backend.load(.object([className: .array([row])]))
    }
  }

  func holdBack(_ held: HeldRequest) -> @Sendable () throws -> Void {
    {
      try self.withBackend { backend throws(LoopbackError) in
        _ = backend.answer(LoopbackRequest(held.request, receivedAt: held.sentAt))
      }
    }
  }
}

/// The double as a value, called directly.
final class InProcessServer: LoopbackStoryServer, SequentialTransport {
  let url: URL
  private let backend: Mutex<LoopbackBackend>
  private let cutsNext = Mutex(false)

  init(_ configuration: LoopbackConfiguration) {
    let backend = LoopbackBackend(configuration)
    url = URL(string: backend.publicURL) ?? URL(filePath: "/")
    self.backend = Mutex(backend)
  }

  var transport: any HTTPTransport { self }

  func withBackend<Result: Sendable>(
    _ body: (inout LoopbackBackend) throws(LoopbackError) -> Result
  ) throws(LoopbackError) -> Result {
    try backend.withLock { backend throws(LoopbackError) in try body(&backend) }
  }

  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError> {
    let answer = backend.withLock { $0.answer(LoopbackRequest(request)) }
    let isCut = cutsNext.withLock { cutsNext in
      defer { cutsNext = false }
      return cutsNext
    }
    return isCut ? .failure(NetworkFault.connectionLost) : .success(HTTPResponse(answer))
  }

  func cutNextAnswer() { cutsNext.withLock { $0 = true } }

  func close() -> [String] { backend.withLock { $0.violations.map(\.description) } }
}

/// The double behind real sockets.
final class SocketServer: LoopbackStoryServer {
  let url: URL
  private let server: LoopbackServer
  private let present = Mutex(CurlTransport())

  init(_ configuration: LoopbackConfiguration) throws {
    // It keeps what clients leave open, so that the end of a story sees it.
    server = try LoopbackServer(backend: LoopbackBackend(configuration), idleSeconds: 0)
    guard let url = URL(string: server.url) else { throw URLError(.badURL) }
    self.url = url
  }

  func withBackend<Result: Sendable>(
    _ body: (inout LoopbackBackend) throws(LoopbackError) -> Result
  ) throws(LoopbackError) -> Result {
    try server.withBackend(body)
  }

  func cutNextAnswer() {
    server.setFault { [weak server] _ in
      server?.setFault(nil)
      return .answerLost
    }
  }

  var transport: any HTTPTransport { present.withLock { $0 } }

  func close() -> [String] {
    let leftovers = openConnections() + server.violations.map(\.description)
    server.stop()
    return leftovers
  }

  /// Connections that nobody will use again.
  private func openConnections() -> [String] {
    // Requests of a story go one at a time, so that there is one connection to keep for the next.
    if !server.waitForConnections(atMost: 1) {
      return ["\(server.connectionCount) open connections"]
    }
    present.withLock { $0 = CurlTransport() }
    guard !server.waitForConnections(atMost: 0) else { return [] }
    return ["a connection that its transport did not close"]
  }
}
