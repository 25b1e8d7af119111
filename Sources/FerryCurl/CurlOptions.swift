// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// What may be chosen about a ``CurlTransport``.
///
/// That certificates are verified, and that no redirect is followed, may not.
public struct CurlOptions: Hashable, Sendable {
  /// How many requests of one run are under way at once; eight by default, one at least.
  public var requestsInFlight = 8
  /// Whether `http` may be used to other machines: keys and data are then open to the network.
  ///
  /// Addresses of this machine may be reached by `http` always.
  public var allowsCleartext = false
  /// A file of certificates, in PEM form, to trust in the place of the system's.
  ///
  /// For a server whose certificate an authority of one's own has signed.
  public var certificateAuthorities: URL?

  /// Makes options with the defaults.
  public init() {}
}
