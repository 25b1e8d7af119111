// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation
import LoopbackParse

/// A request in the words of a story: what it does, and to which classes.
struct RequestSummary: Sendable {
  /// An operation, such as `PUT Game`.
  struct Operation: Sendable, Hashable {
    /// `POST`, `PUT`, `DELETE`, `LIST`, `COUNT` or `FIND`.
    var verb: String
    var className: String

    /// As a story writes it.
    var text: String { "\(verb) \(className)" }
  }

  /// Its operations, those of a batch in their order; empty for a request that is about no class.
  let operations: [Operation]

  /// The names of the rows that it creates.
  let created: [String]

  /// Whether it lists versions in the order of stamps: the comparison of an overlap.
  let comparesOverlap: Bool

  /// Whether one of its operations writes.
  var isWrite: Bool { operations.contains { ["POST", "PUT", "DELETE"].contains($0.verb) } }

  init(_ request: HTTPRequest, _ classes: ClassTable) {
    let parts = request.url.path(percentEncoded: false).split(separator: "/").dropFirst()
    let body = (try? LoopbackValue(json: Array(request.body))) ?? .null
    created = Self.created(
      request.method.rawValue, request.url.path(percentEncoded: false), body, classes)
    comparesOverlap = ([body] + (body["requests"]?.array ?? []).compactMap { $0["body"] })
      .contains {
        $0["keys"] == "objectId" && $0["limit"] != 1 && $0["where"]?.hasMember("updatedAt") == true
      }
    if parts.first == "batch" {
      operations = (body["requests"]?.array ?? []).compactMap { item in
        let below = (item["path"]?.string ?? "").split(separator: "/").dropFirst(2)
        return Self.operation(
          item["method"]?.string ?? "", below.first.map(String.init), item["body"] ?? .null)
      }
    } else if parts.first == "classes" {
      let method = body["_method"]?.string ?? request.method.rawValue
      let operation = Self.operation(method, parts.dropFirst().first.map(String.init), body)
      operations = operation.map { [$0] } ?? []
    } else {
      operations = []
    }
  }

  /// The names of the rows that a request creates.
  static func created(by request: LoopbackRequest, _ classes: ClassTable) -> [String] {
    created(request.method, request.path, request.json ?? .null, classes)
  }

  /// The records that a request changes or deletes.
  static func changed(by request: LoopbackRequest) -> [Pointer] {
    let paths =
      request.path.contains("/classes/")
      ? [request.path] : (request.json?["requests"]?.array ?? []).compactMap { $0["path"]?.string }
    return paths.compactMap { path in
      let parts = path.split(separator: "/").suffix(2).map(String.init)
      guard path.split(separator: "/").dropLast(2).last == "classes" else { return nil }
      return Pointer(className: parts[0], objectID: parts[1])
    }
  }

  private static func created(
    _ method: String, _ path: String, _ body: LoopbackValue, _ classes: ClassTable
  ) -> [String] {
    func name(_ path: String, _ body: LoopbackValue?) -> String? {
      guard let body, let className = path.split(separator: "/").last else { return nil }
      return classes.name(of: String(className), body)
    }
    guard !path.split(separator: "/").dropLast().contains("classes") else {
      return method == "POST" && body["_method"] == nil
        ? [name(path, body)].compactMap(\.self) : []
    }
    return (body["requests"]?.array ?? []).compactMap { item in
      item["method"] == "POST" ? name(item["path"]?.string ?? "", item["body"]) : nil
    }
  }

  private static func operation(
    _ method: String, _ className: String?, _ body: LoopbackValue
  ) -> Operation? {
    guard let className else { return nil }
    let verb: String
    switch method {
    case "GET":
      let isCount = body["limit"]?.number == 0 && body["count"] != nil
      let isFind = body["where"]?.hasMember("$in") ?? false
      verb = isCount ? "COUNT" : isFind ? "FIND" : "LIST"
    case "POST", "PUT", "DELETE": verb = method
    default: return nil
    }
    return Operation(verb: verb, className: className)
  }
}

extension LoopbackValue {
  /// Whether an object in the value has a member of a name.
  fileprivate func hasMember(_ name: String) -> Bool {
    switch self {
    case .object(let members):
      members[name] != nil || members.values.contains { $0.hasMember(name) }
    case .array(let elements): elements.contains { $0.hasMember(name) }
    default: false
    }
  }
}
