// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of a request, or of its answer, on the way.
public enum Fate: Hashable, Sendable {
  /// The request does not arrive, and the device cannot tell.
  case isLost
  /// Nobody listens.
  case cannotConnect
  /// The device gives up, and the request arrives later, with the stamp of its leaving.
  case isDelayed
  /// The request arrives, and once more later.
  case arrivesTwice
  /// The server or a proxy answers with a status instead.
  case isAnswered(Int)
  /// The server carries the request out, and the device does not learn of it.
  case losesItsAnswer
  /// The server carries the request out, and the device reads a status of failure.
  case isDoneButAnswered(Int)
  /// The answer ends before its end.
  case isTruncated
  /// The answer takes its time.
  case isSlow

  /// Whether it concerns the answer, after the server has carried the request out.
  var isOfAnswer: Bool {
    switch self {
    case .losesItsAnswer, .isDoneButAnswered, .isTruncated, .isSlow: true
    case .isLost, .cannotConnect, .isDelayed, .arrivesTwice, .isAnswered: false
    }
  }

  /// As a story writes it, behind the request.
  var text: String {
    switch self {
    case .isLost: "is lost"
    case .cannotConnect: "cannot connect"
    case .isDelayed: "is delayed"
    case .arrivesTwice: "arrives twice"
    case .isAnswered(let status): "is answered \(status)"
    case .losesItsAnswer: "loses its answer"
    case .isDoneButAnswered(let status): "is done but answered \(status)"
    case .isTruncated: "loses its answer"
    case .isSlow: "takes 30 s"
    }
  }
}
