// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import LoopbackParse

/// The operations of a request, read from its bytes: one, or those of a batch.
struct RequestContent: Sendable {
  struct Operation: Sendable {
    var verb: RequestPattern.Verb
    var className: String
    /// The object ids and client keys it is about, as far as it names them.
    var ids: Set<String>
  }

  let operations: [Operation]
  private let isBatch: Bool

  init(_ request: HTTPRequest, mountPath: String, keyField: String) {
    let path = String(request.url.path(percentEncoded: false).dropFirst(mountPath.count))
    let body = (try? LoopbackValue(json: Array(request.body))) ?? .null
    isBatch = path == "/batch"
    let items: [LoopbackValue] =
      isBatch
      ? body["requests"]?.array ?? []
      : [
        [
          "method": .string(request.method.rawValue), "path": .string(mountPath + path),
          "body": body,
        ]
      ]
    operations = items.compactMap { Operation($0, mountPath: mountPath, keyField: keyField) }
  }

  /// The classes of the rows that it changes, one by one.
  var writes: [String] {
    operations.filter { [.create, .update, .delete].contains($0.verb) }.map(\.className)
  }

  /// Whether the request is one of those that a pattern is about.
  func matches(_ pattern: RequestPattern, ids: Set<String>) -> Bool {
    !places(of: pattern, ids: ids).isEmpty
  }

  /// Whether the answer says that the server did what the pattern is about.
  func isDone(_ pattern: RequestPattern, ids: Set<String>, _ response: HTTPResponse) -> Bool {
    let places = places(of: pattern, ids: ids)
    guard (200...299).contains(response.status), !places.isEmpty else { return false }
    guard isBatch else { return true }
    let items = (try? LoopbackValue(json: Array(response.body)))?.array ?? []
    return places.contains { place in
      items.indices.contains(place) && items[place]["success"] != nil
    }
  }

  private func places(of pattern: RequestPattern, ids: Set<String>) -> [Int] {
    operations.indices.filter { place in
      let operation = operations[place]
      guard operation.verb == pattern.verb else { return false }
      return switch pattern.subject {
      case .className(let name): operation.className == name
      case .row: !operation.ids.isDisjoint(with: ids)
      case .file(let name): operation.ids.contains(name)
      }
    }
  }
}

extension RequestContent.Operation {
  fileprivate init?(_ item: LoopbackValue, mountPath: String, keyField: String) {
    let parts = (item["path"]?.string ?? "").dropFirst(mountPath.count).split(separator: "/")
    if parts.count == 2, parts[0] == "files", item["method"]?.string == "POST" {
      (verb, className, ids) = (.upload, "", [String(parts[1])])
      return
    }
    guard parts.count >= 2, parts[0] == "classes" else { return nil }
    let body = item["body"] ?? .null
    className = String(parts[1])
    ids = Set(parts.dropFirst(2).map(String.init))
    switch (body["_method"] ?? item["method"])?.string {
    case "GET":
      let condition = body["where"] ?? .null
      ids.formUnion(condition.choices)
      let isCount = body["limit"]?.number == 0 && body["count"] != nil
      verb = isCount ? .count : condition.choices.isEmpty ? .list : .find
    case "POST":
      verb = .create
      for name in ["objectId", keyField] {
        if let id = body[name]?.string { ids.insert(id) }
      }
    case "PUT": verb = .update
    case "DELETE": verb = .delete
    default: return nil
    }
  }
}

extension LoopbackValue {
  /// The texts that `$in` lists, anywhere in a condition.
  fileprivate var choices: [String] {
    switch self {
    case .object(let members):
      members.flatMap { key, value in
        key == "$in" ? (value.array ?? []).compactMap(\.string) : value.choices
      }
    case .array(let elements): elements.flatMap(\.choices)
    case .null, .bool, .number, .string: []
    }
  }
}
