// Ferry: offline-first sync for Parse Server. MIT licence.

/// A fault of one request on its way to the server or back.
///
/// A ``LoopbackServer`` asks for a fault with each request that arrives:
///
/// ```swift
/// server.setFault { request in
///   request.path.hasSuffix("/batch") ? .answerLost : nil
/// }
/// ```
///
/// The named faults cover what tests ask for most; the fields combine.
public struct LoopbackFault: Sendable {
  /// The fate of the answer.
  public enum Outcome: Sendable {
    /// It is sent as it is.
    case sent
    /// The connection is closed without a byte of it.
    case dropped
    /// The connection is closed after that many bytes of the body, of which more were promised.
    case truncated(bytes: Int)
    /// Another one is sent in its place.
    case replaced(LoopbackResponse)
  }

  /// How long the request waits after it was stamped and before it is carried out.
  ///
  /// The write becomes visible that late, with a stamp older than those of rows written in between.
  public var delayBeforeCommit: Duration = .zero
  /// Runs after the request was stamped and before it is carried out, and after the delay.
  ///
  /// It may block, as a slow trigger does; other requests are answered meanwhile.
  public var beforeCommit: (@Sendable () -> Void)?
  /// The operations of a batch, by their places, for which alone the delay holds.
  ///
  /// The others are carried out at once and show before the held ones do. Nil holds the request as a
  /// whole, which is what becomes of a transaction in any case.
  public var heldOperations: Set<Int>?
  /// Whether the request is carried out at all.
  public var commits = true
  /// How long the answer waits after the request was carried out.
  public var delayBeforeAnswer: Duration = .zero
  /// The fate of the answer.
  public var outcome = Outcome.sent

  /// Makes a fault that does nothing; set its fields.
  public init() {}

  /// The request is lost: nothing happens on the server, and the connection is closed.
  public static let requestLost: LoopbackFault = {
    var fault = LoopbackFault()
    fault.commits = false
    fault.outcome = .dropped
    return fault
  }()

  /// The request is carried out, and its answer is lost.
  public static let answerLost: LoopbackFault = {
    var fault = LoopbackFault()
    fault.outcome = .dropped
    return fault
  }()

  /// The request is stamped at once and carried out late, as behind a slow trigger.
  ///
  /// - Parameter duration: how late.
  /// - Returns: the fault.
  public static func slowCommit(_ duration: Duration) -> LoopbackFault {
    var fault = LoopbackFault()
    fault.delayBeforeCommit = duration
    return fault
  }

  /// The request is carried out at once and answered late.
  ///
  /// - Parameter duration: how late.
  /// - Returns: the fault.
  public static func slowAnswer(_ duration: Duration) -> LoopbackFault {
    var fault = LoopbackFault()
    fault.delayBeforeAnswer = duration
    return fault
  }

  /// The request is not carried out and answered by something else, such as a proxy's error.
  ///
  /// - Parameter response: the answer.
  /// - Returns: the fault.
  public static func respond(_ response: LoopbackResponse) -> LoopbackFault {
    var fault = LoopbackFault()
    fault.commits = false
    fault.outcome = .replaced(response)
    return fault
  }

  /// The request is carried out, and its answer ends in the middle of the body.
  ///
  /// - Parameter bytes: how many bytes of the body arrive.
  /// - Returns: the fault.
  public static func truncated(bytes: Int) -> LoopbackFault {
    var fault = LoopbackFault()
    fault.outcome = .truncated(bytes: bytes)
    return fault
  }
}
