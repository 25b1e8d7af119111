// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// The time limit that ended an exchange.
enum TimeLimit: Equatable {
  /// No connection was made in time.
  case connecting(Duration)
  /// The server sent and took nothing, or nearly nothing, for that long.
  case silence(Duration)
  /// The exchange went on, and was not over in time.
  case total(Duration)

  /// The limit with which libcurl ended an exchange that had left.
  ///
  /// libcurl counts an exchange's total time from a moment after the one from which it counts the
  /// limit. The time can therefore be a little shorter than the limit that ended it.
  static func ending(after time: Duration, under limits: HTTPLimits) -> TimeLimit {
    time + .milliseconds(100) < limits.totalTime
      ? .silence(limits.slowTime) : .total(limits.totalTime)
  }

  var duration: Duration {
    switch self {
    case .connecting(let duration), .silence(let duration), .total(let duration): duration
    }
  }

  /// The predicate of a sentence about the server.
  var fault: String {
    switch self {
    case .connecting(let duration): "took no connection within \(duration.inSeconds)"
    case .silence(let duration): "was silent for \(duration.inSeconds), so Ferry gave up"
    case .total(let duration): "did not complete its answer within \(duration.inSeconds)"
    }
  }
}

extension Duration {
  /// The duration for people: "20 s", "1.5 s".
  fileprivate var inSeconds: String {
    let tenths = (milliseconds + 50) / 100
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
