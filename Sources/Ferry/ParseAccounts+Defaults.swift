// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
public import FerryEngine
public import FerryParse

extension ParseAccounts {
  /// Describes whom to ask by libcurl, and where to keep the credentials; it sends and reads nothing.
  ///
  /// - Parameters:
  ///   - server: The server; its closures for a session token are not used.
  ///   - credentials: Keeps the user who is logged in.
  ///   - timeout: How long the server may be silent, or nearly so, until a request counts as failed.
  public convenience init(
    server: ParseServer, credentials: any CredentialStore, timeout: Duration = .seconds(60)
  ) {
    self.init(
      server: server, credentials: credentials, transport: CurlTransport(), timeout: timeout)
  }
}
