// Ferry: offline-first sync for Parse Server. MIT licence.

/// A refusal by the server's rules, with the code a Parse client would see.
///
/// Triggers throw it to refuse a write, and direct access throws it where the rules forbid what a test
/// asks for.
public struct LoopbackError: Error, Hashable, Sendable {
  /// Parse's error code, such as 101 for a missing row or 142 for a failed validation.
  public var code: Int
  /// The reason, as the client reads it.
  public var message: String

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - code: Parse's error code; any integer is allowed in a trigger.
  ///   - message: the reason.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }
}

extension LoopbackError: CustomStringConvertible {
  /// The code and the reason.
  public var description: String { "Parse error \(code): \(message)" }
}
