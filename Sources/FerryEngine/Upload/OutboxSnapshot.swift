// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The outbox and its rows, read at one moment, for the upload planner.
struct OutboxSnapshot {
  let planner: UploadPlanner
  /// The records with an unsent create.
  let creates: Set<RecordKey>

  /// Folds what was edited meanwhile, and reads.
  ///
  /// - Parameters:
  ///   - context: The run.
  ///   - wanted: The only entries that may be sent; nil for all.
  /// - Throws: The error that ends the run: the store cannot be read or written.
  init(_ context: StageContext, sending wanted: Set<RecordKey>? = nil) throws(SyncError) {
    (planner, creates) = try context.write(.full) { transaction in
      try transaction.fold()
      let entries = try transaction.outbox(of: nil)
      // Entries of a class that the schema leaves out wait for a version of the app that knows it.
      let known = entries.filter { context.schema.entity($0.className) != nil }
      let rows = try transaction.rows(known.map(\.key))
      var held = Set<RecordKey>()
      if let wanted { held.formUnion(entries.map(\.key).filter { !wanted.contains($0) }) }
      let states = try transaction.classStates()
      held.formUnion(entries.filter { $0.isHeld(by: states[$0.className]) }.map(\.key))
      let planner = UploadPlanner(
        entries: entries, records: rows, held: held,
        dangling: try Self.dangling(rows.values, entries, in: transaction),
        unreadable: try Self.unreadable(known, rows, in: transaction))
      return (planner, Set(known.filter { $0.kind == .create }.map(\.key)))
    }
  }

  /// The server's versions that could not be imported, of records with unsent changes.
  private static func unreadable(
    _ entries: [OutboxEntry], _ rows: [RecordKey: Record], in reader: any SyncReader
  ) throws -> [RecordKey: UnreadableRemote] {
    var unreadable: [RecordKey: UnreadableRemote] = [:]
    for (className, entries) in Dictionary(grouping: entries, by: \.className) {
      let entity = try reader.schema.registered(className)
      let records = try reader.quarantined(className, objectIDs: entries.map(\.objectID))
      let byID = Dictionary(records.map { ($0.objectID, $0) }, uniquingKeysWith: { $1 })
      for entry in entries {
        guard let record = byID[entry.objectID], record.version != rows[entry.key]?.version
        else { continue }
        unreadable[entry.key] = UnreadableRemote(record, of: entity)
      }
    }
    return unreadable
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

extension OutboxEntry {
  /// Whether the state of its class keeps the entry from being sent; nil for a class that is not
  /// registered.
  ///
  /// New rows need no import first, so they may be sent even if permissions allow only adding to the
  /// class.
  fileprivate func isHeld(by state: ClassState?) -> Bool {
    let isNew = kind == .create && attempts.isEmpty
    guard let state else { return !isNew }
    guard state.importing == nil else { return true }
    guard let failure = state.failure else { return false }
    return !(isNew && failure.isForbidden)
  }
}

extension SyncReader {
  /// The states of all classes, by name.
  fileprivate func classStates() throws -> [String: ClassState] {
    var states: [String: ClassState] = [:]
    for entity in schema.entities { states[entity.name] = try state(.classState(entity.name)) }
    return states
  }

  /// Those of some withdrawn ids that no record has got since.
  fileprivate func neverSent(_ ids: Set<String>, of className: String) throws -> [Pointer] {
    guard schema.entity(className) != nil else { return [] }
    let present = try versions(of: className, objectIDs: ids.sorted())
    let former = try formerIDs(of: className, among: ids.sorted())
    return ids.filter { present[$0] == nil && !former.contains($0) }
      .map { Pointer(className: className, objectID: $0) }
  }
}

extension UnreadableRemote {
  /// Reads what can be read of a record that was set aside.
  fileprivate init(_ record: QuarantinedRecord, of entity: Entity) {
    self.init(fields: nil, reason: record.reason)
    // Only the class's own serializer knows which of its fields a name on the wire is.
    guard entity.serializer == nil, case .object(let members)? = try? Value(json: record.raw)
    else { return }
    fields = members
  }
}
