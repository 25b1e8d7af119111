// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The rows of one consistent view of the store, as a snapshot takes them over.
struct SnapshotView: Sendable {
  /// The rows of the snapshot's query.
  var rows: [Record] = []
  /// The edited rows that were asked for.
  var asked: Set<LocalID>
  /// Those of them that are in the store; a record may have another local id by now.
  var present: [LocalID: Record]
  /// The ids that the server has chosen since, for pointers in edits.
  var aliases: [Pointer: String]
  /// The names that the server has given to new files since.
  private var sentFiles: SentFileNames

  /// Reads the rows of edits.
  init(
    of edits: [LocalID: SnapshotEdit], in className: String, from reader: any SyncReader
  ) throws(StoreError) {
    asked = Set(edits.keys.filter(\.isAssigned))
    let rows =
      asked.isEmpty ? [] : try reader.records(of: className, localIDs: asked.sorted())
    var found = Dictionary(rows.map { ($0.localID, $0) }, uniquingKeysWith: { first, _ in first })
    for (id, edit) in edits where asked.contains(id) && !edit.seen.objectID.isEmpty {
      guard found[id]?.objectID != edit.seen.objectID else { continue }
      // A sync, or another program, may have given the record another row, and the local id another record.
      found[id] = try reader.record(of: className, objectID: edit.seen.objectID)
    }
    // A stored pointer has the id that the server has replaced until a sync rewrites it.
    let values = edits.values.flatMap { [$0.values, $0.seen.fields] } + found.values.map(\.fields)
    aliases = try reader.aliases(in: values)
    sentFiles = try reader.sentFileNames(forAnyIn: values)
    for id in found.keys { found[id]?.rename(by: aliases) }
    present = found
  }

  /// Reads the rows of a query, and those of edits.
  init(
    of query: Query, and edits: [LocalID: SnapshotEdit], from reader: any SyncReader
  ) throws(StoreError) {
    try self.init(of: edits, in: query.className, from: reader)
    rows = try reader.records(query)
  }

  /// An edit, compared with its row in this view or another one.
  func compared(_ edit: SnapshotEdit, with row: Record?) -> SnapshotEdit {
    var edit = edit
    edit.rename(by: aliases)
    if let row { edit.nameFiles(by: row, sentFiles) }
    edit.compare(with: row)
    return edit
  }
}

extension SyncReader {
  /// The replacements of ids to which pointers in some fields lead.
  fileprivate func aliases(in fields: [Fields]) throws(StoreError) -> [Pointer: String] {
    var pointers = Set<Pointer>()
    for value in fields.flatMap(\.values.values) { value.forEachPointer { pointers.insert($0) } }
    return try aliases(of: pointers)
  }
}

extension Record {
  /// Gives pointers the ids that the server has chosen since.
  mutating func rename(by aliases: [Pointer: String]) {
    guard !aliases.isEmpty else { return }
    fields = fields.replacingPointers { aliases[$0] }
  }
}
