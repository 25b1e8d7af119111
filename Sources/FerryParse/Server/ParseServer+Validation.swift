// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation

extension ParseServer {
  /// Refuses an address or a key that cannot work; it sends nothing.
  ///
  /// A sync does the same before its first request. An app may check an address that a user typed.
  ///
  /// - Throws: `ParseServerError` with the fault and what to do.
  public func validate() throws(ParseServerError) {
    guard url.isServerAddress else {
      throw ParseServerError(
        code: .notAnAddress,
        message: "The server's address has to be a full http or https URL such as "
          + "https://parse.example.com/1; nothing was sent. Correct the address.")
    }
    guard url.query() == nil, url.fragment() == nil, url.user() == nil, url.password() == nil else {
      throw ParseServerError(
        code: .unusedParts,
        message: "The server's address \(url.server) has a user, a query or a fragment, which a "
          + "Parse Server's mount path cannot have; nothing was sent. Leave them out.")
    }
    guard !applicationID.isEmpty, headers().unsendableName == nil,
      keys.allSatisfy({ !$0.secret.headerText.isEmpty })
    else {
      throw ParseServerError(
        code: .unusableKey,
        message: "The application id or a key is empty or holds a character that cannot stand in "
          + "an HTTP header; nothing was sent. Look at where it is read from.")
    }
  }
}

extension URL {
  /// Whether the URL has the scheme `http` or `https`, and a host.
  var isServerAddress: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false
  }
}
