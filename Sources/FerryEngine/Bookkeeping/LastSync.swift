// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// How the last syncs of a store ended, whichever process ran them.
struct LastSync: Codable, Equatable {
  struct Failure: Codable, Equatable {
    var code: String
    var message: String
    var time: Timestamp
  }

  /// When a sync last came to its end.
  var success: Timestamp?
  /// Why the last one failed; nil if it came to its end.
  var failure: Failure?
}

extension LastSync {
  /// Takes note of a sync that ended; one that was cancelled says nothing.
  mutating func note(_ error: SyncError?, at time: Timestamp) {
    switch error {
    case nil: self = LastSync(success: time)
    case let error? where error.code == .cancelled: break
    case let error?:
      failure = Failure(code: error.code.rawValue, message: error.message, time: time)
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
