// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

/// Why the work on one class cannot go on.
enum ClassFailure: Error, CustomStringConvertible {
  case refused(ParseError)
  /// The response was cut off on its way, or is not what was asked for.
  case unreadable(PageError)
  /// The response would have been larger than one may be; a query for less may succeed.
  case tooLarge(HTTPError)
  /// A rule of another program keeps the store's table as it is.
  case storeRefuses(SyncError)

  /// Whether the class may not be read at all.
  var isForbidden: Bool {
    if case .refused(let error) = self { error.meaning == .forbidden } else { false }
  }

  /// The server's number for its refusal.
  var code: ParseError.Code? {
    if case .refused(let error) = self { error.code } else { nil }
  }

  /// What happened, as sentences.
  var description: String {
    switch self {
    case .refused(let error): error.description
    case .unreadable(let error): "The server's response cannot be read. \(error.message)"
    case .tooLarge(let error): "\(error)"
    case .storeRefuses(let error):
      "A rule that another program added to the store's table refused a change. \(error.message)"
    }
  }
}
