// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// The options of a ``CurlTransport``.
///
/// The transport always verifies certificates and never follows redirects.
public struct CurlOptions: Hashable, Sendable {
  /// How many requests of one run are in flight at once; eight by default, at least one.
  public var requestsInFlight = 8
  /// How many bytes of answers one run may hold at once; 64 MiB by default.
  ///
  /// A request waits until its `HTTPLimits.bodyBytes` fit beside those of the requests in flight. A
  /// request that never fits goes alone. So a server cannot fill the memory with many endless answers.
  public var answerBytesInFlight = 64 << 20
  /// Whether the transport may use `http` to other machines, which exposes keys and data to the
  /// network.
  ///
  /// It may always use `http` to this machine.
  public var allowsCleartext = false
  /// A PEM file of certificates to trust instead of the system's.
  ///
  /// Use it for a server whose certificate your own authority signed.
  public var certificateAuthorities: URL?

  /// Makes options with the defaults.
  public init() {}
}
