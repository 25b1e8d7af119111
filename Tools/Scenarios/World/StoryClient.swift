// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation
import LoopbackParse

/// The third client of a story: writes to the server with every right, beside all devices.
struct StoryClient: Sendable {
  let server: any StoryServer
  let names: NameBook
  let rules: RuleBook

  /// Declares the classes with their fields.
  func declare(_ schema: Schema) throws {
    // All classes before any field, because fields may point to any class.
    let entities = schema.entities.filter { $0.membership == nil }
    for entity in entities {
      _ = try send(.post, "/schemas/\(entity.name)", ["className": .string(entity.name)])
    }
    for entity in entities {
      let body: LoopbackValue = [
        "className": .string(entity.name), "fields": .object(entity.declarations),
      ]
      _ = try send(.put, "/schemas/\(entity.name)", body)
    }
  }

  func insert(_ rows: StoryRows) throws {
    guard rows.names.count == 1 else { return try load(rows) }
    var body = try members(rows.fields)
    let former = rows.isAgain ? names.identity(rows.names[0])?.objectIDs.last : nil
    if let id = rows.objectID ?? former { body["objectId"] = .string(id) }
    if let acl = rows.acl { body["ACL"] = try wire(acl) }
    let answer = try send(.post, "/classes/\(rows.className)", .object(body))
    names.learn(rows.names[0], rows.className, objectID: answer["objectId"]?.string ?? "")
  }

  func wire(_ list: AccessList) throws -> LoopbackValue {
    try LoopbackValue(json: Array(WireJSON.text(list.value).utf8))
  }

  /// Inserts many rows at once, with one stamp, like SQL.
  private func load(_ rows: StoryRows) throws {
    let values = try rows.names.indices.map { index in
      var row = try members(rows.fields(at: index))
      row["objectId"] = .string(String("\(rows.names[index])rowrowrowrow".prefix(10)))
      return LoopbackValue.object(row)
    }
    for (name, id) in zip(rows.names, try server.load(values, into: rows.className)) {
      names.learn(name, rows.className, objectID: id)
    }
  }

  func set(_ name: String, _ fields: [String: StoryValue]) throws {
    let (className, id) = try row(name)
    let body = try members(fields).mapValues { value -> LoopbackValue in
      value == .null ? ["__op": "Delete"] : value
    }
    _ = try send(.put, "/classes/\(className)/\(id)", .object(body))
  }

  /// Changes a row in a way that its `updatedAt` does not show.
  func setUnstamped(_ name: String, _ fields: [String: StoryValue]) throws {
    let (className, id) = try row(name)
    guard
      var members = try server.rows(of: className).first(where: { $0["objectId"]?.string == id })?
        .object
    else { return }
    members.merge(try self.members(fields)) { $1 }
    try server.replace(.object(members), of: className)
  }

  func delete(_ name: String) throws {
    let (className, id) = try row(name)
    _ = try send(.delete, "/classes/\(className)/\(id)", nil)
  }

  private func members(_ fields: [String: StoryValue]) throws -> [String: LoopbackValue] {
    try fields.mapValues(wire)
  }

  /// A value as it is sent.
  func wire(_ value: StoryValue) throws -> LoopbackValue {
    LoopbackValue(
      try value.value { name, _ in
        let (className, id) = try row(name)
        return Pointer(className: className, objectID: id)
      })
  }

  /// The id under which the server knows a record.
  func row(_ name: String) throws -> (className: String, id: String) {
    guard let identity = names.identity(name) else {
      throw StoryFault("nobody has inserted \(name) yet")
    }
    let ids = try server.rows(of: identity.className).compactMap { $0["objectId"]?.string }
    guard let id = identity.objectIDs.last(where: ids.contains) else {
      throw StoryFault("the server has no \(name)")
    }
    return (identity.className, id)
  }

  func send(
    _ method: HTTPMethod, _ path: String, _ body: LoopbackValue?
  ) throws -> LoopbackValue {
    guard let url = URL(string: server.url.absoluteString + path) else { throw URLError(.badURL) }
    let request = HTTPRequest(
      method, url,
      headers: [
        "X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk",
        "Content-Type": "application/json",
      ],
      body: Data((body?.text ?? "").utf8))
    let response = try server.transport.send(request)
    let answer = try LoopbackValue(json: Array(response.body))
    guard (200...299).contains(response.status) else {
      throw StoryFault("the server refused \(method.rawValue) \(path): \(answer.text)")
    }
    return answer
  }
}
