// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A row at a moment of the past, as far as history tells it.
struct PastRow: Equatable {
  /// Empty if history does not tell it.
  var objectID: String
  /// The fields, and the access list in the form in which lists are compared.
  private var contents: Fields
  /// Null if history does not tell it.
  var acl: Value
  /// The fields whose value a sync has overwritten since.
  private var unknown: Set<String> = []
  private var isKnown = true

  init(_ record: Record) {
    objectID = record.objectID
    contents = record.contents
    acl = record.acl
  }

  private init() {
    objectID = ""
    contents = Fields()
    acl = .null
    isKnown = false
  }

  /// A row that a sync has removed since.
  static let unknown = PastRow()

  /// The value of a field, null for none; nil if history does not tell it.
  subscript(name: String) -> Value? {
    if let value = contents.values[name], !unknown.contains(name) { return value }
    return isKnown && !unknown.contains(name) ? .null : nil
  }

  /// The known values of fields.
  func values(of names: some Sequence<String>) -> Fields {
    var known = Fields()
    for name in names { if let value = self[name] { known[name] = value } }
    return known
  }

  mutating func set(_ old: Fields) {
    contents = contents.merging(old)
    if let list = old[Fields.accessList] { acl = list }
    unknown.subtract(old.values.keys)
  }

  /// Forgets the values of fields that a sync wrote, unless it only put names there that the server chose: ids of pointers,
  /// and names of new files.
  mutating func forget(
    _ names: Set<String>, formerly old: Fields, _ sentFiles: SentFileNames,
    naming newID: (Pointer) -> String?
  ) {
    for name in names {
      let (former, later) = (old.values[name]?.replacingPointers(newID), self[name])
      let isRenamed = former != nil && former == later.map { $0.replacingPointers(newID) ?? $0 }
      let isNamed = sentFiles.isNamed(old.values[name], by: later)
      if !isRenamed, !isNamed { unknown.insert(name) }
    }
  }
}
