// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension DefaultAccess {
  /// The Swift code that makes the default; nil for the server's.
  var swiftCode: String? {
    switch self {
    case .server: nil
    case .creator(let list): list.rights.isEmpty ? ".creator()" : ".creator(\(list.swiftCode))"
    case .list(let list): ".list(\(list.swiftCode))"
    }
  }
}

extension AccessList {
  /// The same code for equal lists.
  fileprivate var swiftCode: String {
    let entries = rights.map { "\($0.swiftCode): \($1.swiftCode)" }.sorted()
    return "[\(entries.isEmpty ? ":" : entries.joined(separator: ", "))]"
  }
}

extension AccessList.Party {
  fileprivate var swiftCode: String {
    switch self {
    case .everyone: ".everyone"
    case .user(let id): ".user(\(id.swiftCode))"
    case .role(let name): ".role(\(name.swiftCode))"
    }
  }
}

extension AccessList.Rights {
  fileprivate var swiftCode: String {
    self == .readWrite ? ".readWrite" : self == .read ? ".read" : ".write"
  }
}
