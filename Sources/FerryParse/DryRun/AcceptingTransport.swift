// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel
import Foundation
import Synchronization

/// The transport of a dry run: it passes reads on, and answers writes as a server that accepts
/// everything, but for creates of some classes.
///
/// It writes nothing to the server, yet later answers include the accepted writes. Lookups find the
/// ids that it invented, updated rows have their new stamp, and deleted rows are missing.
/// `AcceptedWrites` says how far this goes.
package struct AcceptingTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let world: World
  private let mountPath: String
  private let closedClasses: Set<String>
  private let now: @Sendable () -> Timestamp
  private let makeID: @Sendable () -> String

  /// The state that copies of one transport share.
  private final class World: Sendable {
    let accepted = Mutex(AcceptedWrites())
  }

  /// - Parameters:
  ///   - transport: The transport that performs reads.
  ///   - server: The server that receives the reads.
  ///   - closedClasses: The classes of which only users may create records, while nobody is logged in.
  ///   - now: Returns the stamps of writes.
  ///   - makeID: Returns the ids of rows that are created without one.
  package init(
    _ transport: any HTTPTransport, server: ParseServer, closedClasses: Set<String> = [],
    now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String
  ) {
    self.transport = transport
    self.closedClasses = closedClasses
    self.now = now
    self.makeID = makeID
    mountPath = server.mountPath
    world = World()
  }

  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    let reads = try answeringWrites(among: requests, cancellation, completed)
    guard !reads.isEmpty else { return }
    try transport.run(reads, cancellation: cancellation) { request, result throws(Failure) in
      let more = try completed(request, result.map { overlaid($0, on: request) })
      return try answeringWrites(among: more, cancellation, completed)
    }
  }

  /// Answers the writes, including those that follow from their answers; returns the reads.
  private func answeringWrites<Failure: Error>(
    among requests: [HTTPRequest], _ cancellation: CancellationSignal,
    _ completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) -> [HTTPRequest] {
    var reads: [HTTPRequest] = []
    var waiting = requests[...]
    while let request = waiting.popFirst() {
      if !request.isWrite {
        reads.append(request)
      } else if cancellation.isCancelled {
        _ = try completed(request, .failure(.cancelled(.notSent)))
      } else {
        waiting += try completed(request, answer(to: request))
      }
    }
    return reads
  }
}

extension AcceptingTransport {
  private func answer(to request: HTTPRequest) -> Result<HTTPResponse, HTTPError> {
    if let file = uploaded(by: request) { return .success(response(201, file)) }
    guard let asked = AskedWrites(request, mountPath: mountPath) else {
      return .failure(
        HTTPError(
          .localFailure, outcome: .notSent,
          message:
            "A dry run has no answer to \(request). It was not sent, and nothing was changed."))
    }
    // Nil for a write that the server would refuse.
    let answers = world.accepted.withLock { accepted in
      asked.operations.map { operation in
        isRefused(operation) ? nil : accepted.accept(operation, now: now(), makeID: makeID)
      }
    }
    if asked.isBatch {
      let items = answers.map { answer -> Value in
        answer.map { ["success": .object($0)] } ?? ["error": Self.refusal]
      }
      return .success(response(200, .array(items)))
    }
    guard let answer = answers.first ?? [:] else { return .success(response(404, Self.refusal)) }
    return .success(response(request.method == .post ? 201 : 200, .object(answer)))
  }

  /// The answer to an upload of a file, whose content is not read, or to a removal; nil for any other request.
  private func uploaded(by request: HTTPRequest) -> Value? {
    let start = mountPath + "/files/"
    let path = request.url.path(percentEncoded: false)
    guard path.hasPrefix(start) else { return nil }
    if request.method == .delete { return [:] }
    guard request.method == .post, request.source != nil else { return nil }
    let name = "\(makeID())_\(path.dropFirst(start.count))"
    let url = request.url.deletingLastPathComponent().appending(path: name)
    return ["name": .string(name), "url": .string(url.absoluteString)]
  }

  private func isRefused(_ operation: WriteOperation) -> Bool {
    guard case .create(let className, _) = operation else { return false }
    return closedClasses.contains(className)
  }

  /// What Parse Server 9.10 answers to a create that needs a login.
  private static let refusal: Value = [
    "code": 101, "error": "Permission denied, user needs to be authenticated.",
  ]

  /// Applies the accepted writes to an answer that contains rows.
  private func overlaid(_ response: HTTPResponse, on request: HTTPRequest) -> HTTPResponse {
    let accepted = world.accepted.withLock { $0 }
    guard response.status == 200, !accepted.isEmpty,
      let asked = AskedRows(request, mountPath: mountPath),
      asked.queries.contains(where: { accepted.concerns($0.className) }),
      let answer = try? Value(json: String(decoding: response.body, as: UTF8.self))
    else { return response }
    var changed = response
    changed.body = Data(WireJSON.text(asked.overlaying(answer, with: accepted)).utf8)
    return changed
  }

  private func response(_ status: Int, _ body: Value) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json; charset=utf-8"],
      body: Data(WireJSON.text(body).utf8))
  }
}
