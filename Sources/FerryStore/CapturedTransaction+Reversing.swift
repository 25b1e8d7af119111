// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension CapturedTransaction {
  /// Makes an edit that takes another one back.
  ///
  /// - Returns: Whether the row changed. A trigger of the app may have changed it meanwhile.
  func perform(_ edit: ReversingEdit, on record: RecordReference) throws(StoreError) -> Bool {
    let row = try self.record(of: record.className, localID: record.localID)
    let isPresent = row?.objectID == record.objectID
    switch edit {
    case .delete where isPresent: try delete(record.className, record.localID)
    case .update(let fields) where isPresent:
      try update(record.className, record.localID, contents: fields)
    case .insert(let fields, let acl)
    where try self.record(of: record.className, objectID: record.objectID) == nil:
      try insertAgain(record, fields, acl: acl)
    case .none, .delete, .update, .insert: return false
    }
    return true
  }
}

extension Fields {
  /// The same for the writable fields, with a null for each that has no value: an insert gives no default to it.
  func filled(for entity: Entity) -> Fields {
    var fields = Fields()
    for name in entity.valueNames { fields[name] = self[name] ?? .null }
    return fields
  }
}

extension Entity {
  /// The fields that rows have values of.
  var valueNames: [String] { fields.filter { !$0.type.isRelation }.map(\.name) }
}
