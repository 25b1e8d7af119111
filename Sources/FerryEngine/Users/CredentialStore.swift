// Ferry: offline-first sync for Parse Server. MIT licence.

/// Keeps credentials in a safe place: the port between Ferry and a keychain.
///
/// `FileCredentialStore` keeps them in a file that only its owner can read. Where the platform has a keychain, conform a
/// type of the app to this protocol, and keep the parts of `Credentials` there.
///
/// Ferry calls both methods on threads of its own, and never two at once for one `ParseAccounts`. Another process may
/// change the credentials between two calls. An error ends the request or the run with a typed error that has it as its
/// cause.
public protocol CredentialStore: Sendable {
  /// The credentials that were kept last; empty ones where there are none.
  func read() throws -> Credentials

  /// Keeps credentials for good instead of the earlier ones; all of them, or none where it throws.
  func write(_ credentials: Credentials) throws
}
