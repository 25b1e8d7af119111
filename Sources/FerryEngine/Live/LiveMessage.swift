// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// A message of the server about live queries (`src/LiveQuery`, Parse Server 9.10).
enum LiveMessage: Equatable {
  /// A record that came, changed or went, as far as a sync needs to know.
  struct News: Equatable {
    var objectID: String
    /// The record's version; nil where it is gone, and where the server does not say.
    var version: ServerVersion?
    /// Whether the record was deleted, or left the query.
    var isGone = false
  }

  /// The server knows this client.
  case connected
  /// The server publishes the changes of a query from now on.
  case subscribed(request: Int)
  /// A record of a query changed.
  case news(request: Int, News)
  /// The server refuses; without a request, it refuses the whole connection.
  case refusal(request: Int?, code: Int, reason: String, mayTryAgain: Bool)

  /// Reads a message; nil for one that means nothing to this client.
  ///
  /// An event without a readable record is none: the wake-up after the next connection makes up for it.
  init?(_ text: Data, _ reader: JSONReader) {
    guard let message = try? reader.document(text, Self.read).flatMap(\.self) else { return nil }
    self = message
  }

  private static func read(_ element: JSONElement) -> LiveMessage? {
    let request = element["requestId"]?.wholeNumber
    switch element["op"]?.string {
    case "connected": return .connected
    case "subscribed": return request.map(LiveMessage.subscribed)
    case "create", "update", "enter":
      guard let request, let news = News(element["object"], isGone: false) else { return nil }
      return .news(request: request, news)
    case "delete", "leave":
      guard let request, let news = News(element["object"], isGone: true) else { return nil }
      return .news(request: request, news)
    case "error":
      return .refusal(
        request: request, code: element["code"]?.wholeNumber ?? -1,
        reason: String((element["error"]?.string ?? "").prefix(200)),
        mayTryAgain: element["reconnect"]?.boolean ?? true)
    default: return nil
    }
  }
}

extension LiveMessage.News {
  fileprivate init?(_ object: JSONElement?, isGone: Bool) {
    guard let object, let id = object["objectId"]?.string else { return nil }
    objectID = id
    self.isGone = isGone
    version = isGone ? nil : object["updatedAt"]?.string.map(ServerVersion.init(rawValue:))
  }
}
