// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// Who may read and who may write a record, besides a client with every right.
public enum Access: Hashable, Sendable {
  /// Everybody may do both.
  case everyone
  /// Everybody may read.
  case readOnly
  /// Everybody may read, and one user may write.
  case written(by: User)
  /// One user may do both.
  case alone(User)
  /// Nobody may do either.
  case nobody

  /// The access list; `id` says under which id the server knows a user.
  func list(_ id: (User) -> String) -> LoopbackValue {
    let both: LoopbackValue = ["read": true, "write": true]
    return switch self {
    case .everyone: ["*": both]
    case .readOnly: ["*": ["read": true]]
    case .written(let user): ["*": ["read": true], id(user): both]
    case .alone(let user): [id(user): both]
    case .nobody: [:]
    }
  }

  /// As a story writes it, behind the row; stories have no words for single users.
  var text: String {
    switch self {
    case .everyone: "is free"
    case .readOnly, .written: "is read-only"
    case .alone, .nobody: "is hidden"
    }
  }
}
