// Ferry: offline-first sync for Parse Server. MIT licence.

import CWebSockets
import FerryHTTP
import Foundation

/// The thread of one websocket: it lets libwebsockets work until the connection is over.
final class WebSocketService {
  let connection: WebSocket
  let limits: WebSocketLimits
  private var socket: OpaquePointer?
  /// The message that is under way.
  var message = Data()
  /// Why the connection is over; nil while it is not.
  private var reason: String?

  init(_ connection: WebSocket, _ limits: WebSocketLimits) {
    self.connection = connection
    self.limits = limits
  }

  /// Connects, and returns after the end.
  func run(to url: URL, trusting certificates: URL?) {
    // The library writes to the standard error stream otherwise.
    lws_set_log_level(0, nil)
    let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    let idle = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
    idle.initialize(to: lws_retry_bo_t())
    defer {
      protocols.deallocate()
      idle.deallocate()
      connection.end(because: reason ?? "The app closed it.")
    }
    idle.pointee.secs_since_valid_hangup = UInt16(clamping: limits.silence.components.seconds)
    idle.pointee.secs_since_valid_ping = UInt16(clamping: limits.silence.components.seconds * 2 / 3)
    Self.name.withUTF8Buffer { name in
      protocols[0].name = UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self)
      protocols[0].callback = { socket, event, _, bytes, count in
        WebSocketService.called(socket, event, bytes, count)
      }
      guard let context = context(protocols, certificates) else {
        reason = "No websocket can be opened: memory is short, or the certificates cannot be read."
        return
      }
      connection.serve(SleepingContext(context))
      open(url, in: context, idle)
      while reason == nil, !connection.isClosing, lws_service(context, 0) >= 0 {}
      connection.serve(nil)
      lws_context_destroy(context)
    }
  }

  private static let name: StaticString = "ferry\0"

  private func context(
    _ protocols: UnsafeMutablePointer<lws_protocols>, _ certificates: URL?
  ) -> OpaquePointer? {
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.protocols = UnsafePointer(protocols)
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
    info.timeout_secs = UInt32(clamping: limits.connectTimeout.components.seconds)
    info.connect_timeout_secs = info.timeout_secs
    // Without it, the library makes room for as many files as the process may open.
    info.fd_limit_per_thread = 16
    guard let certificates else { return lws_create_context(&info) }
    return certificates.withUnsafeFileSystemRepresentation { path in
      info.client_ssl_ca_filepath = path
      return lws_create_context(&info)
    }
  }

  private func open(_ url: URL, in context: OpaquePointer, _ idle: UnsafePointer<lws_retry_bo_t>) {
    let isSecure = url.scheme?.lowercased() == "wss"
    let host = url.host(percentEncoded: false) ?? ""
    let port = url.port ?? (isSecure ? 443 : 80)
    let path = url.path(percentEncoded: true)
    let named = url.port.map { "\(host):\($0)" } ?? host
    var info = lws_client_connect_info()
    info.context = context
    info.port = Int32(clamping: port)
    info.ssl_connection = isSecure ? Int32(LCCSCF_USE_SSL.rawValue) : 0
    info.retry_and_idle_policy = idle
    host.withCString { host in
      (path.isEmpty ? "/" : path).withCString { path in
        named.withCString { named in
          (info.address, info.path, info.host) = (host, path, named)
          socket = lws_client_connect_via_info(&info)
        }
      }
    }
    if socket == nil, reason == nil { reason = "The server cannot be reached." }
  }

  private static func called(
    _ socket: OpaquePointer?, _ event: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?,
    _ count: Int
  ) -> Int32 {
    guard let socket, let context = lws_get_context(socket), let user = lws_context_user(context)
    else { return 0 }
    let service = Unmanaged<WebSocketService>.fromOpaque(user).takeUnretainedValue()
    return service.take(
      event, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), on: socket)
  }

  /// Takes note of the end; the first reason stays.
  func end(_ reason: String) { self.reason = self.reason ?? reason }

  /// Asks the library for a moment to send.
  func askToWrite() { if let socket { lws_callback_on_writable(socket) } }
}
