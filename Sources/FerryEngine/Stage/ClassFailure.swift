// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

/// Why the server's response to a query about one class is of no use.
enum ClassFailure: Error, CustomStringConvertible {
  case refused(ParseError)
  /// The response was cut off on its way, or is not what was asked for.
  case unreadable(PageError)
  /// The response would have been larger than one may be; a query for less may succeed.
  case tooLarge(HTTPError)

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
    }
  }
}
