// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation

/// The queries of a request, read from its path and body.
struct AskedRows {
  var queries: [(className: String, constraint: [String: Value])]
  private var isBatch: Bool

  /// Nil for a request without queries.
  init?(_ request: HTTPRequest, mountPath: String) {
    let path = request.url.path(percentEncoded: true)
    let body = AskedBody(request.body)
    if path == mountPath + "/batch" {
      isBatch = true
      queries = (body.requests ?? []).map { item in
        let place = AskedPlace(item.path, mountPath: mountPath)
        return (place?.className ?? "", Self.constraint(item.body))
      }
    } else if let place = AskedPlace(path, mountPath: mountPath), place.objectID == nil {
      isBatch = false
      queries = [(place.className, Self.constraint(body.members))]
    } else {
      return nil
    }
  }

  private static func constraint(_ parameters: [String: Value]) -> [String: Value] {
    if case .object(let constraint)? = parameters["where"] { constraint } else { [:] }
  }

  /// The answer, with the accepted writes applied to its rows.
  func overlaying(_ answer: Value, with accepted: AcceptedWrites) -> Value {
    guard isBatch else { return page(answer, queries[0], accepted) }
    guard case .array(let items) = answer, items.count == queries.count else { return answer }
    return .array(
      zip(items, queries).map { item, query in
        guard case .object(var members) = item, let success = members["success"] else {
          return item
        }
        members["success"] = page(success, query, accepted)
        return .object(members)
      })
  }

  private func page(
    _ page: Value, _ query: (className: String, constraint: [String: Value]),
    _ accepted: AcceptedWrites
  ) -> Value {
    guard case .object(var members) = page, case .array(let rows)? = members["results"] else {
      return page
    }
    members["results"] = .array(
      accepted.overlaid(rows, className: query.className, where: query.constraint))
    return .object(members)
  }
}
