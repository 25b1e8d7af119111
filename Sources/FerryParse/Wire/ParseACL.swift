// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Access control lists: `{"*":{"read":true},"role:Admins":{"read":true,"write":true}}`.
package enum ParseACL {
  package static func read(_ element: JSONElement) throws(JSONError) -> Value? {
    switch element.kind {
    case .null: .null
    case .object: .object(try Value.members(of: element))
    default: nil
    }
  }

  /// Whether the server will understand the list.
  ///
  /// From anything but an object, the server makes a row that only the master key can read.
  package static func isSendable(_ list: Value) -> Bool {
    guard case .object(let entries) = list else { return false }
    return entries.allSatisfy { entry in
      guard !entry.key.isEmpty, case .object(let rights) = entry.value else { return false }
      return rights.allSatisfy { right in
        guard case .boolean = right.value else { return false }
        return right.key == "read" || right.key == "write"
      }
    }
  }
}
