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
  public convenience init(server: ParseServer, credentials: any CredentialStore) {
    self.init(server: server, credentials: credentials, transport: CurlTransport())
  }
}
