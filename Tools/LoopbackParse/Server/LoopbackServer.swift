// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// A Parse-compatible server on a port of the loopback address, for tests and trials.
///
/// ```swift
/// let server = try LoopbackServer()
/// try server.withBackend { backend throws(LoopbackError) in
///   _ = try backend.create("Game", ["title": "Semi-final"])
/// }
/// // … let a client work against server.url …
/// #expect(server.backend.objects(of: "Game").count == 1)
/// server.stop()
/// ```
///
/// It answers several connections at once and may be used from any thread. It listens only on
/// 127.0.0.1, until it is stopped or its last reference goes: keep one, not just the address.
public final class LoopbackServer: Sendable {
  /// Chooses what goes wrong with a request; nil lets it pass.
  public typealias FaultSource = @Sendable (LoopbackRequest) -> LoopbackFault?

  private let core: ServerCore
  private let daemon: Mutex<DaemonBox>
  private let connections: ConnectionCount

  /// The port the server listens at.
  public let port: UInt16
  /// The address of the mount path, as clients are configured with it: `http://127.0.0.1:PORT/parse`.
  public let url: String

  /// Owns the daemon until the server stops.
  ///
  /// Safe to move between threads: the daemon is created, and ended, under the lock of its box.
  private struct DaemonBox: @unchecked Sendable {
    var daemon: HTTPDaemon?
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - backend: what it serves at first.
  ///   - port: the port; 0 takes a free one.
  ///   - idleSeconds: after how many seconds without a request a connection is closed. Node's five
  ///     make clients meet connections that die between two requests; 0 keeps them open.
  /// - Throws: ``LoopbackServerError`` if the port cannot be had.
  public init(
    backend: LoopbackBackend, port: UInt16 = 0, idleSeconds: UInt32 = 5
  ) throws(LoopbackServerError) {
    let core = ServerCore(backend: backend)
    let connections = ConnectionCount()
    let box = DaemonBox(
      daemon: try HTTPDaemon(
        port: port, idleSeconds: idleSeconds, bodyLimit: backend.configuration.maxUploadSize,
        connections: connections, respond: core.respond,
        upgrade: { [unowned core] peer, early in core.live.serve(peer, early, from: core) }))
    let port = box.daemon?.port ?? 0
    let url = "http://127.0.0.1:\(port)\(backend.configuration.mountPath)"
    core.state.withLock { $0.backend.publicURL = url }
    self.core = core
    self.port = port
    self.url = url
    self.connections = connections
    daemon = Mutex(box)
  }

  /// Starts a server that holds nothing.
  ///
  /// - Parameters:
  ///   - configuration: the options of its backend.
  ///   - port: the port; 0 takes a free one.
  /// - Throws: ``LoopbackServerError`` if the port cannot be had.
  public convenience init(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(), port: UInt16 = 0
  ) throws(LoopbackServerError) {
    try self.init(backend: LoopbackBackend(configuration), port: port)
  }

  deinit { stop() }

  /// Stops the server: no request is accepted any more, delays end, all connections are closed.
  ///
  /// It returns when its threads have ended. The server's data can still be read. Do not call it from
  /// a trigger or a fault source.
  public func stop() {
    core.pause.finish()
    core.live.stop()
    let box = daemon.withLock { box in
      defer { box = DaemonBox() }
      return box
    }
    _ = consume box
  }

  /// A copy of all that the server holds right now.
  public var backend: LoopbackBackend { core.state.withLock { $0.backend } }

  /// The requests that would harm a real server; a test asserts that there are none.
  public var violations: [LoopbackViolation] { core.state.withLock { $0.backend.violations } }

  /// Reads or changes what the server holds; no request is answered meanwhile.
  ///
  /// - Parameter body: gets the backend; must not call the server.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public func withBackend<Result: Sendable, Failure: Error>(
    _ body: (inout LoopbackBackend) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.change(body)
  }

  /// Sets what decides about faults from the next request on.
  ///
  /// - Parameter source: is asked with each request; nil lets all pass.
  public func setFault(_ source: FaultSource?) {
    core.state.withLock { $0.fault = source }
  }

  /// How many connections are open: those that a client keeps for later, and those in use.
  public var connectionCount: Int { connections.open }

  /// Waits until clients have closed all connections except a number of them.
  ///
  /// - Parameters:
  ///   - most: how many may be left.
  ///   - patience: how long to wait at most.
  /// - Returns: false when more are left.
  public func waitForConnections(
    atMost most: Int, for patience: Duration = .seconds(5)
  ) -> Bool {
    connections.waits(forAtMost: most, patience)
  }

  /// How many clients listen to live queries.
  public var liveClientCount: Int { core.live.count }

  /// Ends the connections of all clients of live queries; they may connect again.
  public func cutLiveClients() { core.live.close() }

  /// Sends bytes to all clients of live queries, also such as no Parse Server would send.
  public func sendToLiveClients(_ bytes: [UInt8]) { core.live.broadcast(bytes) }

  /// How many requests have arrived.
  public var requestCount: Int { core.state.withLock { $0.requestCount } }

  /// The requests answered so far, oldest first, without keys and tokens in their headers.
  public var exchanges: [LoopbackExchange] { core.state.withLock { $0.exchanges } }

  /// Forgets the requests recorded so far and counts from zero.
  public func forgetExchanges() {
    core.state.withLock { state in
      state.exchanges = []
      state.requestCount = 0
    }
  }
}
