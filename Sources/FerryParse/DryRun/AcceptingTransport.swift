// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel
import Foundation
import Synchronization

/// The transport of a dry run: reads pass, writes are answered here as a server would that accepts
/// everything.
///
/// Nothing is written on the server, yet whoever sends through it sees a world in which his writes
/// took place: ids that were invented here are found when they are asked for, rows that were changed
/// here show their new stamp, and deleted ones are gone. `AcceptedWrites` says how far that goes.
package struct AcceptingTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let world: World
  private let mountPath: String
  private let now: @Sendable () -> Timestamp
  private let makeID: @Sendable () -> String

  /// What the copies of one transport share.
  private final class World: Sendable {
    let accepted = Mutex(AcceptedWrites())
  }

  /// - Parameters:
  ///   - transport: The one that brings the answers to reads.
  ///   - server: The server that is asked.
  ///   - now: Gives the stamps of writes.
  ///   - makeID: Gives the ids of rows that are created without one.
  package init(
    _ transport: any HTTPTransport, server: ParseServer, now: @escaping @Sendable () -> Timestamp,
    makeID: @escaping @Sendable () -> String
  ) {
    self.transport = transport
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

  /// Answers the writes, those included that their answers lead to; returns the reads.
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
    guard let asked = AskedWrites(request, mountPath: mountPath) else {
      return .failure(
        HTTPError(
          .localFailure, outcome: .notSent,
          message:
            "A dry run has no answer to \(request). It was not sent, and nothing was changed."))
    }
    let answers = world.accepted.withLock { accepted in
      asked.operations.map { accepted.accept($0, now: now(), makeID: makeID) }
    }
    if asked.isBatch {
      let items = answers.map { Value.object(["success": .object($0)]) }
      return .success(response(200, .array(items)))
    }
    let isCreate = request.method == .post
    return .success(response(isCreate ? 201 : 200, .object(answers.first ?? [:])))
  }

  /// Lays what was accepted over an answer that brings rows.
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
