// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The access list of new records in `ferry.json`.
///
/// An object has Parse's own form, in which the key `creator` means the user who creates a record:
/// `{"creator":{"read":true,"write":true},"*":{"read":true}}`. The text `"creator"` alone means nobody else.
extension DefaultAccess {
  private static let creator = "creator"

  init(reading element: JSONElement, path: [String]) throws {
    if element.string == Self.creator {
      self = .creator()
    } else if let value = try ParseACL.read(element), let list = AccessList(value), !value.isNull,
      let access = Self(list)
    {
      self = access
    } else {
      throw SchemaReadingError(
        path,
        #"is neither "creator" nor an access list, such as "#
          + #"{ "creator": { "read": true, "write": true }, "*": { "read": true } }"#)
    }
  }

  /// Nil for a list that allows the creator one thing and not the other.
  private init?(_ list: AccessList) {
    var others = list
    others[.user(Self.creator)] = []
    switch list[.user(Self.creator)] {
    case []: self = .list(list)
    case .readWrite: self = .creator(others)
    default: return nil
    }
  }

  /// The JSON that `init(reading:path:)` reads; nil for the server's default, which has none.
  var json: Value? {
    switch self {
    case .server: return nil
    case .list(let list): return list.value
    case .creator(var list):
      guard !list.rights.isEmpty else { return .string(Self.creator) }
      list[.user(Self.creator)] = .readWrite
      return list.value
    }
  }
}
