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
}
