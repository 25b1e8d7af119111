// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
public import Foundation

extension LiveQueries {
  /// Describes live queries with libwebsockets; it connects to nothing.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator to wake; its server, session and classes are those of the live queries.
  ///   - address: The address of the server's live queries, with the scheme `ws` or `wss`; nil for that of the server itself.
  public convenience init(of coordinator: SyncCoordinator, address: URL? = nil) {
    self.init(of: coordinator, transport: WebSocketClient(), address: address)
  }
}
