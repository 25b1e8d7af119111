// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation
import Synchronization

/// A transport that notices a server that does not answer.
///
/// It only measures. Call `silenceToSay()` about twice a second from another thread, and say what it
/// returns.
///
/// ```swift
/// let transport = WatchedTransport(CurlTransport())
/// if let seconds = transport.silenceToSay() { print("The server is silent for \(seconds) s.") }
/// ```
public final class WatchedTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let uptime: @Sendable () -> Double
  private let silence = Mutex(Silence())

  /// Watches the requests that go through another transport.
  ///
  /// - Parameters:
  ///   - inner: The transport that sends.
  ///   - uptime: Gives seconds that only go forward.
  public init(
    _ inner: any HTTPTransport,
    uptime: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
  ) {
    self.inner = inner
    self.uptime = uptime
  }

  /// The length of the server's silence in seconds: once it lasts five, and each time it has doubled.
  public func silenceToSay() -> Double? { silence.withLock { $0.toSay(at: uptime()) } }

  /// Sends the requests through the other transport.
  public func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    note(requests)
    defer { silence.withLock { $0 = Silence() } }
    try inner.run(requests, cancellation: cancellation) {
      (request, result) throws(Failure) -> [HTTPRequest] in
      silence.withLock { $0.ended(request.tag, at: uptime()) }
      let more = try completed(request, result)
      note(more)
      return more
    }
  }

  private func note(_ requests: [HTTPRequest]) {
    let now = uptime()
    silence.withLock { silence in
      for request in requests { silence.left(request.tag, at: now + request.delay / .seconds(1)) }
    }
  }
}
