// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine

/// The session of a device, compared with the user whose data it holds.
enum Standing {
  /// The session is valid and of that user, or neither exists.
  case fits
  /// The server has ended the session.
  case ended
  /// The session is of another user.
  case other
  /// Nobody is logged in.
  case nobody

  /// The error with which a sync must end; nil where it must succeed.
  var error: SyncError.Code? {
    switch self {
    case .fits: nil
    case .ended, .nobody: .loginNeeded
    case .other: .otherUser
    }
  }

  /// The most requests that a sync needs to find the error.
  var requests: Int {
    switch self {
    case .fits: .max
    case .ended, .other: 1
    case .nobody: 0
    }
  }
}
