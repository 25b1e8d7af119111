// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a server could not be started.
public struct LoopbackServerError: Error, Sendable, CustomStringConvertible {
  /// The port asked for; 0 means any free one.
  public let port: UInt16

  /// What happened and what to do.
  public var description: String {
    port == 0
      ? "The test server found no free port on 127.0.0.1."
      : "The test server cannot listen on port \(port) of 127.0.0.1; another program may use it. "
        + "Choose another port, or 0 for a free one."
  }
}
