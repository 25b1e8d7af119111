// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// How the last syncs of a store ended, whichever process ran them.
struct LastSync: Codable, Equatable {
  /// When a sync last came to its end.
  var success: Timestamp?
  /// Why the last one failed; nil if it came to its end.
  var failure: SyncState.Failure?
}

extension LastSync {
  /// Takes note of a sync that ended, and was not cancelled; one that left a class out has failed.
  mutating func note(_ error: SyncError?, _ notices: [SyncNotice], at time: Timestamp) {
    if let error {
      failure = SyncState.Failure(error, at: time)
    } else if let notice = notices.first(where: \.code.leavesClassOut) {
      failure = SyncState.Failure(
        code: SyncError.Code(rawValue: notice.code.rawValue), message: notice.message, time: time)
    } else {
      self = LastSync(success: time)
    }
  }
}

extension BookkeepingKey where Content == LastSync {
  static var lastSync: Self { Self(name: "lastSync", initial: LastSync()) }
}

extension BookkeepingKey where Content == [String: Timestamp] {
  /// When the classes that have an interval of their own were last asked for.
  static var askedAt: Self { Self(name: "askedAt", initial: [:]) }
}
