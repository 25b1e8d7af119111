// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why an entry is parked.
package struct Refusal: Sendable, Equatable {
  package enum Reason: String, Sendable {
    /// The server said no, by a code that trying again does not change.
    case refused
    /// The record may be read but not written.
    case noPermission
    /// Whether a create arrived cannot be found out.
    case undecidable
    /// The change cannot be said in the server's format.
    case unserializable
    /// A bounded number of attempts all failed.
    case exhausted
    /// A record it points to was taken back before the server saw it, or is not there.
    case parentGone
  }

  package var reason: Reason
  /// The server's code, where it gave one.
  package var code: Int?
  package var message: String

  /// The server failed at each of several attempts.
  ///
  /// - Parameters:
  ///   - attempts: How many.
  ///   - message: The server's words to the last one, if they are known.
  /// - Returns: The refusal that parks the entry.
  package static func exhausted(attempts: Int, _ message: String? = nil) -> Refusal {
    let words = message.map { "\($0) " } ?? ""
    return Refusal(
      reason: .exhausted,
      message: "The server failed at \(attempts) attempts. \(words)The change is kept and not sent "
        + "again until the record is edited.")
  }

  package init(reason: Reason, code: Int? = nil, message: String) {
    self.reason = reason
    self.code = code
    self.message = message
  }
}
