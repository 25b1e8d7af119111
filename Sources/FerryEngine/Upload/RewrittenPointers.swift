// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Looks for the records to which the engine turned pointers by itself, before it sends these pointers.
///
/// The engine turns a pointer when its record goes by another id here. Another device may have removed the record
/// under that id as a duplicate, and turned the pointer back. A row of a class that is never removed stays here
/// then, and nothing else tells that its record is gone. So the two devices would turn the pointer for ever.
struct RewrittenPointers {
  let context: StageContext

  /// Takes back the pointers whose records the server does not show.
  ///
  /// - Parameter entries: Unsent changes.
  /// - Returns: Whether it took any back, so that the entries must be read again.
  /// - Throws: The error that ends the run.
  func takeBack(among entries: [OutboxEntry]) throws(SyncError) -> Bool {
    let rewritten = entries.filter { !$0.rewritten.isEmpty && $0.mayMove && $0.attempts.isEmpty }
    guard !rewritten.isEmpty else { return false }
    let pointers = try context.read { reader throws(StoreError) in
      try reader.rewrittenPointers(of: rewritten)
    }
    var gone = Set<Pointer>()
    for (className, pointers) in Dictionary(grouping: pointers, by: \.className)
      .sorted(by: { $0.key < $1.key })
    {
      guard let entity = context.schema.entity(className), entity.deletionStrategy == .never
      else { continue }
      gone.formUnion(try missing(pointers, ClassContext(entity, in: context)))
    }
    guard !gone.isEmpty else { return false }
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      try transaction.takeBack(rewritten.map(\.key), naming: gone)
    }
    return true
  }

  /// Those that the server does not show; none if it does not answer.
  private func missing(
    _ pointers: [Pointer], _ context: ClassContext
  ) throws(SyncError) -> [Pointer] {
    do {
      let found = try RecordLookup(context: context)
        .rows(objectIDs: pointers.map(\.objectID).sorted())
      let shown = Set(found.records.map(\.objectID) + found.failures.compactMap(\.objectID))
      return pointers.filter { !shown.contains($0.objectID) }
    } catch {
      _ = try error.failure()
      return []
    }
  }
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
  /// Gives rows the server's values of fields that the engine changed by itself, where these name one of the records.
  fileprivate func takeBack(
    _ keys: [RecordKey], naming gone: Set<Pointer>
  ) throws(StoreError) {
    let rows = try rows(keys)
    for entry in try entries(keys).values where entry.mayMove && entry.attempts.isEmpty {
      guard let fields = rows[entry.key]?.fields else { continue }
      let names = entry.rewritten.filter {
        fields[$0]?.pointers.contains(where: gone.contains) == true
      }
      guard !names.isEmpty else { continue }
      let before = Fields(
        Dictionary(names.map { ($0, entry.base[$0] ?? .null) }, uniquingKeysWith: { $1 }))
      var entry = entry
      var isDone = false
      for name in names { isDone = entry.leaveOut(name) }
      try keep(entry, isDone: isDone)
      try set(before, of: entry.className, localID: entry.localID)
    }
  }
}
