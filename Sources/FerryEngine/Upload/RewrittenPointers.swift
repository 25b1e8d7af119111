// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Looks for the records that pointers name which the engine rewrote by itself, before it sends these pointers.
///
/// The engine rewrites a pointer when its record goes by another id here. Another device may have removed the record
/// under that id as a duplicate, and rewritten the pointer, too. The row may stay here: its class is never removed, an
/// edit wins over the removal, or a rule of another program keeps it. So the two devices would rewrite the pointer for
/// ever.
struct RewrittenPointers {
  let context: StageContext

  /// Takes back the pointers whose records the server does not show.
  ///
  /// - Parameter entries: Unsent changes.
  /// - Returns: Whether it took any back, so that the entries must be read again.
  /// - Throws: The error that ends the run.
  func takeBack(among entries: [OutboxEntry]) throws(SyncError) -> Bool {
    let rewritten = entries.filter(\.hasUnsentRewrites)
    guard !rewritten.isEmpty else { return false }
    let pointers = try context.read { reader throws(StoreError) in
      try reader.rewrittenPointers(of: rewritten)
    }
    var gone = Set<Pointer>()
    for (className, pointers) in Dictionary(grouping: pointers, by: \.className)
      .sorted(by: { $0.key < $1.key })
    {
      guard let entity = context.schema.entity(className) else { continue }
      gone.formUnion(try missing(pointers, ClassContext(entity, in: context)))
    }
    guard !gone.isEmpty else { return false }
    return try context.writeSettingRowsRight(.full) { transaction, changesRows throws(StoreError) in
      try transaction.fold(changesRows: changesRows)
      guard changesRows else { return false }
      try transaction.takeBack(rewritten.map(\.key), naming: gone)
      return true
    }
  }

  /// Those that the server does not show, or shows as deleted; none if it does not answer.
  private func missing(
    _ pointers: [Pointer], _ context: ClassContext
  ) throws(SyncError) -> [Pointer] {
    do {
      let found = try RecordLookup(context: context)
        .rows(objectIDs: pointers.map(\.objectID).sorted())
      let records = found.records.filter { !context.entity.isFlagged($0) }
      let shown = Set(records.map(\.objectID) + found.failures.compactMap(\.objectID))
      return pointers.filter { !shown.contains($0.objectID) }
    } catch {
      _ = try error.failure()
      return []
    }
  }
}

extension OutboxEntry {
  /// Whether the engine rewrote pointers of the row that no request has sent.
  fileprivate var hasUnsentRewrites: Bool { !rewritten.isEmpty && mayMove && attempts.isEmpty }
}

extension SyncReader {
  /// The pointers in those fields of rows that the engine changed by itself.
  fileprivate func rewrittenPointers(of entries: [OutboxEntry]) throws(StoreError) -> Set<Pointer> {
    let rows = try rows(entries.map(\.key))
    return entries.reduce(into: Set<Pointer>()) { found, entry in
      for field in entry.rewritten {
        rows[entry.key]?.fields[field]?.forEachPointer { found.insert($0) }
      }
    }
  }
}

extension SyncTransaction {
  /// Lets pointers name their records as the server does, where the engine let them name one that is gone.
  ///
  /// A rule of another program may keep a row as it is; its change is sent then.
  fileprivate func takeBack(
    _ keys: [RecordKey], naming gone: Set<Pointer>
  ) throws(StoreError) {
    let rows = try rows(keys)
    let present = try entries(keys)
    for key in keys {
      guard let entry = present[key], entry.hasUnsentRewrites,
        let fields = rows[key]?.fields.only(entry.rewritten)
      else { continue }
      let former = try formerNames(of: gone, in: entry)
      let before = fields.replacedPointers { former[$0] }
      guard !before.isEmpty else { continue }
      var rest = entry
      var isDone = false
      for (name, value) in before.values where value == entry.base[name] {
        isDone = rest.leaveOut(name)
      }
      try attemptUnlessRefused { () throws(StoreError) in
        try set(before, of: entry.className, localID: entry.localID)
        try keep(rest, isDone: isDone)
      }
    }
  }

  /// The ids by which the server's values of an entry name records that are gone under their present ids.
  private func formerNames(
    of gone: Set<Pointer>, in entry: OutboxEntry
  ) throws(StoreError) -> [Pointer: String] {
    let pointers = Set(entry.rewritten.flatMap { entry.base[$0]?.pointers ?? [] })
    let present = try aliases(of: pointers.map(\.objectID).sorted())
    var former: [Pointer: String] = [:]
    for pointer in pointers {
      guard let id = present[pointer.objectID] else { continue }
      let renamed = Pointer(className: pointer.className, objectID: id)
      if gone.contains(renamed) { former[renamed] = pointer.objectID }
    }
    return former
  }
}
