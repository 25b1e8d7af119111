// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Removes contents that the app gave to `newFile` long ago, and that nothing in the store names.
///
/// A content that is named is not looked for again before it is as old once more.
struct UnwrittenContentsStage: Stage {
  let name: StageName? = nil

  /// How long a content stays that no row names: an app may keep its value, such as in the draft of a message.
  static let patience = Duration.seconds(30 * 86_400)

  func run(in context: StageContext) throws(SyncError) {
    let limit = context.environment.now().adding(.zero - Self.patience)
    let old = context.files.contents(limit)
    guard !old.isEmpty else { return }
    let named = try context.read { reader throws(StoreError) in try reader.namedContents() }
    for sum in old {
      if let named, !named.contains(sum) {
        context.files.remove(sum, limit)
      } else {
        context.files.renew(sum, context.environment.now())
      }
    }
  }
}

extension SyncReader {
  /// The contents of new files that rows, history or conflict records name; nil where only another program knows.
  fileprivate func namedContents() throws(StoreError) -> Set<String>? {
    guard try hasOnlyDeclaredChanges() else { return nil }
    var named = Set<String>()
    for entity in schema.entities {
      for field in entity.fields where field.type == .file {
        try addContents(in: field.name, of: entity.name, to: &named)
      }
    }
    try forEachLogged(after: try historyExtent().prunedThrough, withValues: true) { logged in
      switch logged.destroyed {
      case .update(let old)?, .late(let old, _)?, .lateInsert(let old)?:
        named.formUnion(old.contents)
      case .delete(let old)?: named.formUnion(old.fields.contents)
      case .insert?, nil: break
      }
      return true
    }
    return named.union(try contentsInConflicts())
  }

  /// The contents of new files that conflict records name.
  func contentsInConflicts() throws(StoreError) -> Set<String> {
    var named = Set<String>()
    var last: Int64?
    while let page = try nextConflicts(before: last) {
      for conflict in page {
        named.formUnion(conflict.lost.contents)
        named.formUnion(conflict.kept.contents)
      }
      last = page.last?.id
    }
    return named
  }

  /// Whether the schema declares all classes and fields that unsent changes concern.
  private func hasOnlyDeclaredChanges() throws(StoreError) -> Bool {
    let unfolded = try unfoldedRowCounts()
    guard unfolded.classes.isEmpty, unfolded.fields.isEmpty else { return false }
    var isDeclared = true
    try forEachPendingEntry(of: nil) { entry in
      let names = schema.entity(entry.className)?.fields.map(\.name)
      let changed = entry.changed.subtracting([Fields.accessList])
      isDeclared = isDeclared && names.map { changed.isSubset(of: $0) } ?? false
    }
    return isDeclared
  }

  /// Adds the contents that a field of all rows names, a page of rows at a time.
  private func addContents(
    in field: String, of className: String, to named: inout Set<String>
  ) throws(StoreError) {
    var last = LocalID(rawValue: 0)
    while true {
      let rows = try records(
        of: className,
        where: .field("localId", .greaterThan, .integer(last.rawValue)) && .not(.isNull(field)),
        orderedBy: .ascending("localId"), limit: 1000)
      for row in rows { named.formUnion(row.fields.only([field]).contents) }
      guard let newest = rows.last else { return }
      last = newest.localID
    }
  }
}

extension Fields {
  /// The sums of the contents of new files in these fields.
  fileprivate var contents: [String] {
    values.values.compactMap { value in
      if case .file(let file) = value { file.unsent?.sha256 } else { nil }
    }
  }
}
