// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation

/// The writes of a request, read from its path and body.
struct AskedWrites {
  var operations: [WriteOperation]
  var isBatch: Bool

  /// Nil for a request that does not write rows as Ferry does.
  init?(_ request: HTTPRequest, mountPath: String) {
    let path = request.url.path(percentEncoded: true)
    let body = AskedBody(request.body)
    if path == mountPath + "/batch" {
      guard let items = body.requests else { return nil }
      isBatch = true
      operations = items.compactMap { item in
        Self.operation(method: item.method, path: item.path, body: item.body, mountPath)
      }
      guard operations.count == items.count else { return nil }
    } else {
      guard
        let operation = Self.operation(
          method: request.method, path: path, body: body.members, mountPath)
      else { return nil }
      isBatch = false
      operations = [operation]
    }
  }

  private static func operation(
    method: HTTPMethod, path: String, body: [String: Value], _ mountPath: String
  ) -> WriteOperation? {
    guard let place = AskedPlace(path, mountPath: mountPath) else { return nil }
    switch (method, place.objectID) {
    case (.post, nil): return .create(className: place.className, body: body)
    case (.put, let id?): return .update(className: place.className, objectID: id, body: body)
    case (.delete, let id?): return .delete(className: place.className, objectID: id)
    default: return nil
    }
  }
}
