// Ferry: offline-first sync for Parse Server. MIT licence.

internal import CMicroHTTPD

/// An HTTP server on the loopback address: one thread for each connection, so that a slow answer
/// holds up nobody else.
final class HTTPDaemon {
  /// What C calls back with; it outlives every thread of the daemon.
  private final class Context: Sendable {
    let respond: @Sendable (LoopbackRequest) -> HTTPAction
    let upgrade: @Sendable (WebSocketPeer, _ early: [UInt8]) -> Void
    let bodyLimit: Int
    let connections: ConnectionCount

    init(
      bodyLimit: Int, connections: ConnectionCount,
      respond: @escaping @Sendable (LoopbackRequest) -> HTTPAction,
      upgrade: @escaping @Sendable (WebSocketPeer, _ early: [UInt8]) -> Void
    ) {
      self.bodyLimit = bodyLimit
      self.connections = connections
      self.respond = respond
      self.upgrade = upgrade
    }
  }

  let port: UInt16
  private let daemon: OpaquePointer
  private let callbacks: UnsafeMutablePointer<ferry_httpd_callbacks>
  private let context: Unmanaged<Context>

  /// Starts listening; of bodies no more is kept than one byte above the limit.
  init(
    port: UInt16, idleSeconds: UInt32, bodyLimit: Int, connections: ConnectionCount,
    respond: @escaping @Sendable (LoopbackRequest) -> HTTPAction,
    upgrade: @escaping @Sendable (WebSocketPeer, _ early: [UInt8]) -> Void
  ) throws(LoopbackServerError) {
    context = Unmanaged.passRetained(
      Context(bodyLimit: bodyLimit, connections: connections, respond: respond, upgrade: upgrade))
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(
      to: ferry_httpd_callbacks(
        server: context.toOpaque(), open: HTTPDaemon.open, receive: HTTPDaemon.receive,
        close: HTTPDaemon.close, count: HTTPDaemon.count))
    guard let daemon = ferry_httpd_start(port, idleSeconds, callbacks) else {
      callbacks.deallocate()
      context.release()
      throw LoopbackServerError(port: port)
    }
    self.daemon = daemon
    self.port = ferry_httpd_port(daemon)
  }

  /// Stops listening, waits for the answers that are under way, and closes every connection.
  deinit {
    MHD_stop_daemon(daemon)
    callbacks.deallocate()
    context.release()
  }

  private static let open: ferry_httpd_open = { _, target in
    let exchange = HTTPExchange(target: target.map { String(cString: $0) } ?? "/")
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  private static let close: ferry_httpd_close = { pointer in
    Unmanaged<HTTPExchange>.fromOpaque(pointer).release()
  }

  private static let count: ferry_httpd_count = { server, change in
    guard let server else { return }
    let context = Unmanaged<Context>.fromOpaque(server).takeUnretainedValue()
    context.connections.change(by: Int(change))
  }

  private static let receive: ferry_httpd_receive = {
    server, connection, method, bytes, size, pointer in
    guard let server else { return 0 }
    let context = Unmanaged<Context>.fromOpaque(server).takeUnretainedValue()
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    guard exchange.hasHead else {
      exchange.readHead(String(cString: method), connection)
      return 1
    }
    if size > 0 {
      exchange.append(bytes, size, limit: context.bodyLimit)
      return 1
    }
    return exchange.send(context.respond(exchange.request), over: connection, from: server)
  }

  fileprivate static let upgraded: ferry_httpd_upgraded = { server, socket, bytes, size, handle in
    let context = Unmanaged<Context>.fromOpaque(server).takeUnretainedValue()
    let early = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size)
    context.upgrade(WebSocketPeer(socket: socket, handle: handle), Array(early))
  }
}

/// A request while it arrives, which only the thread of its connection ever touches.
private final class HTTPExchange {
  var request: LoopbackRequest
  private(set) var hasHead = false

  init(target: String) { request = LoopbackRequest("", target) }

  func readHead(_ method: String, _ connection: OpaquePointer) {
    hasHead = true
    request.method = method
    ferry_httpd_headers(
      connection,
      { pointer, name, value in
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
        exchange.request.headers[String(cString: name)] = String(cString: value)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func append(_ bytes: UnsafePointer<CChar>?, _ size: Int, limit: Int) {
    let room = limit + 1 - request.body.count
    guard let bytes, room > 0 else { return }
    let piece = UnsafeRawBufferPointer(start: bytes, count: min(size, room))
    request.body.append(contentsOf: piece)
  }

  /// Hands the answer to the connection; zero closes it.
  func send(
    _ action: HTTPAction, over connection: OpaquePointer, from server: UnsafeMutableRawPointer
  ) -> Int32 {
    let response: LoopbackResponse
    let handle: OpaquePointer?
    switch action {
    case .drop: return 0
    case .upgrade(let accept):
      response = LoopbackResponse(
        status: 101, headers: ["Upgrade": "websocket", "Sec-WebSocket-Accept": accept])
      handle = ferry_httpd_upgrade_response(server, HTTPDaemon.upgraded)
    case .send(let answer):
      response = answer
      // The answer to HEAD names the length of a body that the library does not send; a benchmark names that of a
      // large file.
      let length = answer.headers["Content-Length"].flatMap(UInt64.init) ?? 0
      handle =
        length > answer.body.count
        ? ferry_httpd_zeros_response(length)
        : answer.body.withUnsafeBytes { ferry_httpd_response($0.baseAddress, $0.count) }
    case .cut(let answer, let bytes):
      response = answer
      let kept = max(0, min(bytes, answer.body.count - 1))
      handle = answer.body.withUnsafeBytes {
        ferry_httpd_cut_response($0.baseAddress, kept, $0.count)
      }
    }
    guard let handle else { return 0 }
    for (name, value) in response.headers.pairs where name != "Content-Length" {
      // Headers are Latin-1 on the wire, as Node sends them.
      let bytes = value.unicodeScalars.map {
        CChar(bitPattern: UInt8(truncatingIfNeeded: $0.value))
      }
      _ = ferry_httpd_add_header(handle, name, bytes + [0])
    }
    return ferry_httpd_send(connection, UInt32(response.status), handle)
  }
}
