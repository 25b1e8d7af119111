// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import LoopbackParse

// The values that the rules judge: the fields, and the access list where the world's apps change it.
extension ClassTable {
  /// The values of a row on a device.
  func contents(of fields: Fields, _ acl: Value) -> Fields {
    judged(fields.including(accessList: acl))
  }

  /// The values, where a list that is open to everyone is none; without lists where the rules judge none.
  func judged(_ fields: Fields) -> Fields {
    guard judgesLists else { return fields.withoutAccessList }
    guard fields[Fields.accessList] == AccessList.open.value else { return fields }
    var judged = fields
    judged[Fields.accessList] = .null
    return judged
  }

  /// The values that a conflict record keeps.
  func contents(of conflict: ConflictRecord) -> Fields {
    contents(of: conflict.lost, conflict.acl)
  }

  /// The server's values after a commit; nil where it removed the record.
  func contents(of commit: LoopbackCommit) -> [String: LoopbackValue]? {
    guard judgesLists, var contents = commit.fields else { return commit.fields }
    contents[Fields.accessList] = list(commit.acl)
    return contents
  }

  /// The access list of a record on the server; nil if it is open to everyone.
  func list(_ acl: LoopbackValue?) -> LoopbackValue? {
    judgesLists && acl != ["*": ["read": true, "write": true]] ? acl : nil
  }
}
