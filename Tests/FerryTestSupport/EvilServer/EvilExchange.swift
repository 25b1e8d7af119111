// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// A kind of exchange whose answer Ferry reads.
package enum EvilExchange: String, CaseIterable, Sendable {
  case user, serverInfo, health, schemas
  case page, count, lookUp, batchOfReads
  case batchOfWrites, write

  /// The kinds of a sync; only an examination asks for the others.
  package static let ofSync = allCases.filter { $0 != .health && $0 != .schemas }

  /// The kinds whose answers list rows.
  package static let listings: [EvilExchange] = [.page, .lookUp, .batchOfReads]

  /// The kind of a request; nil for one that is of no kind.
  init?(_ request: WireRequest) {
    let parts = request.requestLine.split(separator: " ")
    let path = (parts.dropFirst().first ?? "").split(separator: "/").dropFirst()
    let json = (try? LoopbackValue(json: request.body)) ?? .null
    switch path.first {
    case "users": self = .user
    case "serverInfo": self = .serverInfo
    case "health": self = .health
    case "schemas": self = .schemas
    case "batch":
      let isRead = (json["requests"]?.array ?? []).allSatisfy { $0["method"] == "GET" }
      self = isRead ? .batchOfReads : .batchOfWrites
    case "classes" where json["_method"] != "GET": self = .write
    case "classes" where json["limit"] == 0: self = .count
    case "classes":
      self = json["where"].map { $0.text.contains("\"$in\"") } ?? false ? .lookUp : .page
    default: return nil
    }
  }
}
