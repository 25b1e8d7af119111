// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerryPlanning

/// A write whose record the engine must look up on the server.
struct WriteInDoubt {
  enum Reason {
    /// The outcome is unknown: there is no answer, or an unreadable one.
    case lost
    /// A unique value exists already.
    case duplicate(ParseError)
    /// The record does not exist, or this user may not change it.
    case denied(ParseError)
    /// The server may refuse minted ids.
    case unusableID(ParseError)
  }

  var key: RecordKey
  var reason: Reason

  var isUnusableID: Bool { if case .unusableID = reason { true } else { false } }
}
