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

  /// The operations that the server denies.
  var denied: [String] {
    switch self {
    case .everything: []
    case .noCounts: ["count"]
    case .noReads: ["find", "get", "count"]
    case .noWrites: ["create", "update", "delete"]
    case .noDeletes: ["delete"]
    case .nothing: ["find", "get", "count", "create", "update", "delete"]
    }
  }

  /// Whether the server denies a write.
  var deniesWrites: Bool { denied.contains("delete") }

  /// The permissions of a class; a record of a private class belongs to the user who creates it.
  func permissions(isPrivate: Bool) -> LoopbackValue {
    let operations = ["find", "get", "count", "create", "update", "delete", "addField"]
    var permissions: [String: LoopbackValue] = [:]
    for operation in operations {
      permissions[operation] = denied.contains(operation) ? [:] : ["*": true]
    }
    if isPrivate { permissions["ACL"] = ["currentUser": ["read": true, "write": true]] }
    return .object(permissions)
  }

  /// As a story writes it.
  func text(_ className: String) -> String {
    (["\(className) is open"] + denied.map { "\(className) denies \($0)" }).joined(separator: "; ")
  }
}
