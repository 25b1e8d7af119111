// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A row as a result names it: by the record, because a row that came again has another number.
struct RowName: Hashable, Sendable {
  var className: String
  var objectID: String

  init(_ className: String, _ objectID: String) {
    self.className = className
    self.objectID = objectID
  }

  init(_ reference: RecordReference) { self.init(reference.className, reference.objectID) }

  /// How many ids one condition names.
  static let chunk = 500

  /// How many rows the on-demand classes have together.
  static func count(in db: any StoreReader) throws(StoreError) -> Int {
    var count = 0
    for entity in db.schema.entities where entity.isOnDemand {
      count += try db.count(of: entity.name)
    }
    return count
  }

  /// The synced rows of all on-demand classes.
  static func all(in db: any StoreReader) throws(StoreError) -> Set<RowName> {
    var names = Set<RowName>()
    for entity in db.schema.entities where entity.isOnDemand {
      names.formUnion(
        try db.references(Query(entity.name, where: !.isUnsent)).map { RowName($0) })
    }
    return names
  }

  /// The rows that the store has of these.
  static func references(
    of names: Set<RowName>, in db: any StoreReader
  ) throws(StoreError) -> [RecordReference] {
    var references: [RecordReference] = []
    for (className, names) in Dictionary(grouping: names, by: \.className)
    where db.schema.entity(className)?.isOnDemand == true {
      for ids in names.map(\.objectID).sorted().chunks(of: chunk) {
        references += try db.references(
          Query(className, where: .oneOf("objectId", ids.map(Value.string))))
      }
    }
    return references
  }
}

extension Array {
  /// The elements in groups of that size; the last group may be smaller.
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
