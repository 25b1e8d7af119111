// Ferry: offline-first sync for Parse Server. MIT licence.

/// Keeps credentials in a safe place: the port between Ferry and a keychain.
///
/// `FileCredentialStore` keeps them in a file that only its owner can read. Where the platform has a keychain, conform a
/// type of the app to this protocol, and keep all parts of `Credentials` there.
///
/// Ferry calls both methods on threads of its own, perhaps several at once. Another process may change the credentials
/// between two calls. An error ends the request or the run with a typed error that has it as its cause.
public protocol CredentialStore: Sendable {
  /// The credentials that were kept last; empty ones, `Credentials()`, where there are none.
  func read() throws -> Credentials

  /// Reads the credentials, lets `body` change them, and keeps them for good, while no other call of `change` does.
  ///
  /// - Parameter body: Changes the credentials; if it throws, they stay as they were, and the error goes on.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or the store's own where the credentials cannot be read or kept.
  func change<Result>(_ body: (inout Credentials) throws -> Result) throws -> Result
}
