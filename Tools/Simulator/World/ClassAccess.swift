// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// The rights of everybody but the server's owner to a class.
public enum ClassAccess: Hashable, Sendable, CaseIterable {
  /// All of it.
  case everything
  /// All but counting.
  case noCounts
  /// Only writing.
  case noReads
  /// Only reading.
  case noWrites
  /// No delete.
  case noDeletes
  /// Nothing.
  case nothing
  /// Nothing without a login.
  case needsLogin
  /// All but creating without a login.
  case needsLoginToCreate

  private static let operations = [
    "find", "get", "count", "create", "update", "delete", "addField",
  ]

  /// The operations that the server denies everybody.
  private var denied: [String] {
    switch self {
    case .everything, .needsLogin, .needsLoginToCreate: []
    case .noCounts: ["count"]
    case .noReads: ["find", "get", "count"]
    case .noWrites: ["create", "update", "delete"]
    case .noDeletes: ["delete"]
    case .nothing: ["find", "get", "count", "create", "update", "delete"]
    }
  }

  /// The operations that the server allows to users who are logged in.
  private var forUsers: [String] {
    switch self {
    case .needsLogin: Self.operations
    case .needsLoginToCreate: ["create"]
    case .everything, .noCounts, .noReads, .noWrites, .noDeletes, .nothing: []
    }
  }

  /// Whether the server denies a write of a record that it has.
  var deniesWrites: Bool { (denied + forUsers).contains("delete") }

  /// Whether the server denies a look at a record.
  var deniesReads: Bool { (denied + forUsers).contains("find") }

  /// The permissions of a class; a record of a private class belongs to the user who creates it.
  func permissions(isPrivate: Bool) -> LoopbackValue {
    var permissions: [String: LoopbackValue] = [:]
    for operation in Self.operations {
      permissions[operation] =
        denied.contains(operation)
        ? [:] : forUsers.contains(operation) ? ["requiresAuthentication": true] : ["*": true]
    }
    if isPrivate { permissions["ACL"] = ["currentUser": ["read": true, "write": true]] }
    return .object(permissions)
  }

  /// As a story writes it.
  func text(_ className: String) -> String {
    let rules =
      switch self {
      case .needsLogin: ["needs login"]
      case .needsLoginToCreate: ["needs login to create"]
      default: denied.map { "denies \($0)" }
      }
    return (["is open"] + rules).map { "\(className) \($0)" }.joined(separator: "; ")
  }
}
