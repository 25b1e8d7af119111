// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The outbox and the rows it is about, read at one moment: what the upload planner decides over.
struct OutboxSnapshot {
  let planner: UploadPlanner

  /// Folds what was edited meanwhile, and reads; entries that are `excluded` are not to be sent.
  init(_ context: StageContext, excluding excluded: Set<RecordKey> = []) throws {
    let readable = Set(context.entities.map(\.name))
    let now = context.environment.now()
    planner = try context.store.sync(.full) { transaction in
      try transaction.fold()
      let entries = try transaction.outbox(of: nil)
      let rows = try transaction.rows(entries.map(\.key))
      var held = excluded.union(try Self.behindQuarantine(entries, rows, in: transaction))
      for entry in entries where !readable.contains(entry.className) {
        let isNew = entry.kind == .create && entry.attempts.isEmpty
        if !isNew || !context.maySendCreates(of: entry.className) { held.insert(entry.key) }
      }
      for entity in context.schema.entities
      where try transaction.state(.classState(entity.name)).importing != nil {
        held.formUnion(entries.filter { $0.className == entity.name }.map(\.key))
      }
      return UploadPlanner(
        entries: entries, records: rows, held: held,
        dangling: try Self.dangling(rows.values, entries, in: transaction), now: now)
    }
  }

  /// Entries over a version on the server that could not be imported.
  private static func behindQuarantine(
    _ entries: [OutboxEntry], _ rows: [RecordKey: Record], in transaction: any SyncTransaction
  ) throws -> Set<RecordKey> {
    var held = Set<RecordKey>()
    for (className, entries) in Dictionary(grouping: entries, by: \.className) {
      let records = try transaction.quarantined(className, objectIDs: entries.map(\.objectID))
      let versions = Dictionary(
        records.map { ($0.objectID, $0.version) }, uniquingKeysWith: { first, _ in first })
      for entry in entries {
        guard let version = versions[entry.objectID] else { continue }
        if version != rows[entry.key]?.version { held.insert(entry.key) }
      }
    }
    return held
  }

  /// Pointers to rows that the app took back before the server had them.
  ///
  /// Any other pointer is sent, also one to a record that is not kept here: it may be outside of a
  /// filter, hidden, not pulled yet, or of a class that is not registered.
  private static func dangling(
    _ rows: some Sequence<Record>, _ entries: [OutboxEntry], in reader: any SyncReader
  ) throws -> Set<Pointer> {
    var suspects = Set<Pointer>()
    for row in rows {
      for value in row.fields.values.values { value.forEachPointer { suspects.insert($0) } }
    }
    suspects.subtract(entries.map { Pointer(className: $0.className, objectID: $0.objectID) })
    var dangling = Set<Pointer>()
    for (className, pointers) in Dictionary(grouping: suspects, by: \.className) {
      let ids = try reader.withdrawnIDs(of: className, among: pointers.map(\.objectID))
      guard !ids.isEmpty else { continue }
      dangling.formUnion(try reader.neverSent(ids, of: className))
    }
    return dangling
  }
}

extension SyncReader {
  /// Those of some withdrawn ids that no record has got since.
  fileprivate func neverSent(_ ids: Set<String>, of className: String) throws -> [Pointer] {
    guard schema.entity(className) != nil else { return [] }
    let present = try versions(of: className, objectIDs: ids.sorted())
    let former = try formerIDs(of: className, among: ids.sorted())
    return ids.filter { present[$0] == nil && !former.contains($0) }
      .map { Pointer(className: className, objectID: $0) }
  }
}
