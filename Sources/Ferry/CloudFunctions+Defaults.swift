// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
public import FerryEngine
public import FerryParse

extension CloudFunctions {
  /// Describes whom to ask by libcurl; it sends nothing.
  ///
  /// - Parameters:
  ///   - server: The server, with its closure for a session token.
  ///   - timeout: How long the server may be silent until a call counts as failed; at least a second. A slow function needs
  ///     a longer one.
  public convenience init(server: ParseServer, timeout: Duration = .seconds(60)) {
    self.init(server: server, transport: CurlTransport(), timeout: timeout)
  }
}
