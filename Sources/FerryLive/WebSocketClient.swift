// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
public import Foundation

/// Opens websockets with libwebsockets, each with a thread of its own.
///
/// `wss` checks the certificate and its host against the certificates of the system. The first address is the only one:
/// a server that answers with a redirect is refused, because the next one would get the app's keys.
public struct WebSocketClient: WebSocketTransport {
  private let certificates: URL?

  /// A client.
  ///
  /// - Parameter certificates: A file of certificates in PEM form that are trusted besides those of the system, such as that of a
  ///   company's own authority.
  public init(trusting certificates: URL? = nil) { self.certificates = certificates }

  /// Begins to open a connection, and returns at once.
  public func connect(to url: URL, limits: WebSocketLimits) -> any WebSocketConnection {
    let connection = WebSocket(waitingMessages: limits.waitingMessages)
    // A thread of its own: the library looks names up, and blocks meanwhile.
    Thread.detachNewThread { [certificates] in
      WebSocketService(connection, limits).run(to: url, trusting: certificates)
    }
    return connection
  }
}
