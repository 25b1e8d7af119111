// Ferry: offline-first sync for Parse Server. MIT licence.

import Testing

/// How an encrypted server of a test proves who it is.
package struct ServerIdentity: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  var names = "IP:127.0.0.1"
  var days = "1"
  var options: [String] = []
  /// Whether the client trusts the authority.
  package var isAuthorityKnown = true

  /// The identity of a server that proves it.
  package static let good = ServerIdentity(testDescription: "good")

  /// The identities of servers that do not.
  package static let bad: [ServerIdentity] = [
    ServerIdentity(testDescription: "signed by nobody we know", isAuthorityKnown: false),
    ServerIdentity(testDescription: "of another host", names: "DNS:parse.example.com"),
    ServerIdentity(testDescription: "expired", days: "-1"),
    ServerIdentity(
      testDescription: "with the encryption of 2006",
      options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]),
  ]
}
