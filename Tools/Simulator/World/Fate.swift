// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP

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
  /// The server fails at the operation of that number in a batch, and carries the others out.
  case failsInPart(at: Int)
  /// The server carries the request out, and the device does not learn of it.
  case losesItsAnswer
  /// The server carries the request out, and the device reads a status of failure.
  case isDoneButAnswered(Int)
  /// The answer ends before its end.
  case isTruncated
  /// The answer takes its time.
  case isSlow
  /// The request ends with an error, and the server carries nothing out.
  case fails(HTTPError.Code, HTTPError.Outcome)
  /// The server carries the request out, and the request ends with an error.
  case isDoneButFails(HTTPError.Code)
  /// The answer ends after that number of bytes.
  case isCut(after: Int)
  /// One value of the answer is wrong, in the way of that number.
  case isAltered(Int)

  /// Whether it concerns the answer, after the server has carried the request out.
  var isOfAnswer: Bool {
    switch self {
    case .losesItsAnswer, .isDoneButAnswered, .isDoneButFails, .isTruncated, .isCut, .isAltered,
      .isSlow:
      true
    case .isLost, .cannotConnect, .fails, .isDelayed, .arrivesTwice, .isAnswered, .failsInPart:
      false
    }
  }

  /// Whether the answer says, wrongly, that the server did not carry the request out.
  var deniesWork: Bool {
    if case .isDoneButAnswered(let status) = self {
      (400...499).contains(status) || status == 501
    } else {
      false
    }
  }

  /// As a story writes it, behind the request.
  var text: String {
    switch self {
    case .cannotConnect, .fails(_, .notSent): "cannot connect"
    case .isLost, .fails: "is lost"
    case .isDelayed: "is delayed"
    case .arrivesTwice: "arrives twice"
    case .isAnswered(let status): "is answered \(status)"
    // Stories have no words for a part of a batch.
    case .failsInPart: "is answered 500"
    case .losesItsAnswer, .isTruncated, .isDoneButFails, .isCut: "loses its answer"
    case .isDoneButAnswered(let status): "is done but answered \(status)"
    case .isAltered: "is reworded"
    case .isSlow: "takes 30 s"
    }
  }
}
