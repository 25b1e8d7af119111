// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of a request that writes, and of its answer.
enum WriteFate {
  case isLost
  /// It times out, and arrives later.
  case isLate
  case losesItsAnswer
  /// The server takes no more requests for a while.
  case isRefused
  case fails
  case isDoneButFails
  case arrives

  /// One of 14 chances.
  static func drawn(by chance: inout Chance) -> WriteFate {
    switch chance.number(below: 14) {
    case 0, 1: .isLost
    case 2: .isLate
    case 3, 4: .losesItsAnswer
    case 5: .isRefused
    case 6: .fails
    case 7: .isDoneButFails
    default: .arrives
    }
  }
}
