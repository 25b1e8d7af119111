// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryPlanning
import Foundation
import LoopbackParse

// The settings of the server's owner: triggers, permissions, users.
extension StoryClient {
  func set(_ rule: ServerRule) throws {
    switch rule {
    case .hides(let className, let names):
      let ids = try names.map { try row($0).id }
      try change(className) { $0.hidden = Set(ids) }
    case .refuses(let className, let field, let value, let code):
      let value = try wire(value)
      try change(className) {
        $0.refusals.append(ServerRules.Refusal(field: field, value: value, code: code))
      }
    case .sets(let className, let field, let value):
      let value = try wire(value)
      try change(className) { $0.values[field] = value }
    case .opens(let className):
      try change(className) { $0 = ServerRules.ClassRules() }
      try setPermissions(of: className) { _ in ["*": true] }
    case .needsLogin(let className, let only):
      try setPermissions(of: className) { operation in
        (only ?? operation) == operation ? ["requiresAuthentication": true] : ["*": true]
      }
    case .denies(let className, let operation):
      try change(className) { $0.denied.insert(operation) }
      let denied = rules.current.classes[className]?.denied ?? []
      try setPermissions(of: className) { denied.contains($0) ? [:] : ["*": true] }
    case .access(let names, let access):
      for name in names {
        let (className, id) = try row(name)
        _ = try send(.put, "/classes/\(className)/\(id)", ["ACL": try list(of: access)])
      }
    case .newAccess(let className, let access):
      let list = try list(of: access)
      try change(className) { $0.newAccess = list }
    case .loses(let className, let field):
      _ = try send(
        .put, "/schemas/\(className)",
        ["className": .string(className), "fields": .object([field: ["__op": "Delete"]])])
    case .restarts(let classNames): try server.restart(logging: classNames)
    case .endsSessions:
      for session in try server.rows(of: "_Session").compactMap({ $0["objectId"]?.string }) {
        _ = try send(.delete, "/sessions/\(session)", nil)
      }
    }
  }

  private func change(
    _ className: String, _ change: (inout ServerRules.ClassRules) -> Void
  ) throws {
    rules.change(className, change)
    try server.apply(rules.current)
  }

  private func setPermissions(
    of className: String, _ permission: (String) -> LoopbackValue
  ) throws {
    let operations = ["find", "get", "count", "create", "update", "delete", "addField"]
    let block = operations.map { ($0, permission($0)) }
    _ = try send(
      .put, "/schemas/\(className)",
      [
        "className": .string(className),
        "classLevelPermissions": .object(Dictionary(block, uniquingKeysWith: { $1 })),
      ])
  }

  static func password(of user: String) -> String { "pw-\(user)" }

  /// The session token of a user, who is signed up if need be.
  func logIn(_ user: String) throws -> String {
    let account: LoopbackValue = [
      "username": .string(user), "password": .string(Self.password(of: user)),
    ]
    // With the master key nobody is logged in by signing up.
    if let token = try? send(.post, "/login", account)["sessionToken"]?.string { return token }
    _ = try send(.post, "/users", account)
    guard let token = try send(.post, "/login", account)["sessionToken"]?.string else {
      throw StoryFault("the server logged \(user) in and gave no session token")
    }
    return token
  }
}

extension StoryClient {
  /// Changes the access list of a row, to which the client has every right.
  func share(_ name: String, _ sharing: Sharing) throws {
    let (className, id) = try row(name)
    let list = try sharing.list(after: nil, id: userID)
    _ = try send(.put, "/classes/\(className)/\(id)", ["ACL": try wire(list)])
  }

  /// The id of a user who has logged in.
  func userID(_ user: String) throws -> String {
    let users = try server.rows(of: "_User")
    guard let id = users.first(where: { $0["username"]?.string == user })?["objectId"]?.string
    else { throw StoryFault("no user \(user) has logged in") }
    return id
  }

  /// The access control list of a row.
  private func list(of access: ServerRule.Access) throws -> LoopbackValue {
    switch access {
    case .readOnly: return ["*": ["read": true]]
    case .hidden: return [:]
    case .free: return ["*": ["read": true, "write": true]]
    case .private: return ["creator": ["read": true, "write": true]]
    case .kept(let user): return .object([try userID(user): ["read": true, "write": true]])
    }
  }
}
