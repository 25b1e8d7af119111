// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// The time limit that ended an exchange.
enum TimeLimit {
  /// No connection was made in time.
  case connecting(Duration)
  /// The server sent and took nothing, or nearly nothing, for that long.
  case silence(Duration)
  /// The exchange went on, and was not over in time.
  case total(Duration)

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
