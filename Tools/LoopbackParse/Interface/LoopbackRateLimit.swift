// Ferry: offline-first sync for Parse Server. MIT licence.

/// How many requests to an address a client may send in a time, before it is told to wait.
///
/// ```swift
/// configuration.rateLimits = [LoopbackRateLimit("/classes/Game", count: 10, seconds: 60)]
/// ```
///
/// The time begins with the first request and ends as a whole. The master key is not counted.
public struct LoopbackRateLimit: Sendable, Hashable {
  /// The path below the mount path; a star at its end means all paths that begin so.
  public var path: String
  /// The methods that count; nil for all.
  public var methods: Set<String>?
  /// How many requests are allowed in one time.
  public var count: Int
  /// How long a time is.
  public var seconds: Int
  /// The reason that a client reads when it asks too often.
  public var message: String

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - path: the path below the mount path; a star at its end means all paths that begin so.
  ///   - methods: the methods that count; nil for all.
  ///   - count: how many requests are allowed in one time.
  ///   - seconds: how long a time is.
  ///   - message: what a client reads that asks too often.
  public init(
    _ path: String, methods: Set<String>? = nil, count: Int, seconds: Int,
    message: String = "Too many requests."
  ) {
    self.path = path
    self.methods = methods
    self.count = count
    self.seconds = seconds
    self.message = message
  }

  func covers(_ method: String, _ path: String) -> Bool {
    guard methods?.contains(method) ?? true else { return false }
    let own = self.path.lowercased()
    let path = path.lowercased()
    guard let star = own.firstIndex(of: "*") else { return own == path }
    return path.hasPrefix(own[..<star])
  }
}
