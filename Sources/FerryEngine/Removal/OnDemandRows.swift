// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Brings the edited rows of an on-demand class up to date, since no listing shows the server's edits of their records.
///
/// Records in quarantine that may be readable now are asked for as well. The records come by their ids before the edits are sent, and are imported as those of a listing. A record that the
/// server does not show is a candidate for removal, with the same proof and the same guard.
struct OnDemandRows {
  let context: ClassContext

  private var entity: Entity { context.entity }
  private var key: BookkeepingKey<ClassState> { .classState(entity.name) }

  private struct Edited {
    var updates = Set<String>()
    var deletes = Set<String>()
  }

  func run() throws(ClassError) {
    let (edited, setAside, held, state) = try context.read { reader throws(StoreError) in
      var edited = Edited()
      try reader.forEachPendingEntry(of: entity.name) { entry in
        switch entry.kind {
        case .update: edited.updates.insert(entry.objectID)
        case .delete: edited.deletes.insert(entry.objectID)
        case .create, .deleteAfterCreate: break
        }
      }
      // After a change of the fields, of a rule in the table, or at the app's wish.
      let setAside = try reader.quarantine(of: entity.name).filter {
        $0.isRefusedByStore || $0.mayBeReadable(as: entity)
      }
      return (
        edited, Set(setAside.map(\.objectID)), try reader.heldRows(of: entity.name),
        try reader.state(key)
      )
    }
    try refreshAll(state)
    let asked = edited.updates.union(edited.deletes).union(setAside).union(held.keys)
    let present = try fetch(asked)
    var difference = RangeDifference()
    difference.missing = edited.updates.subtracting(present)
    difference.missingDeletions = edited.deletes.subtracting(present)
    difference.missingQuarantined = setAside.subtracting(present).subtracting(edited.updates)
    difference.reappeared = present.intersection(held.keys)
    if entity.deletionStrategy == .never {
      difference.keepRows(quarantined: [], edited: edited.updates.subtracting(present))
    }
    guard !asked.isSubset(of: present) || !held.isEmpty else { return }
    let canary: String? = if let shown = present.first { shown } else { try anyRecord() }
    _ = try MissingRemoval(context: context).run(
      difference, held: held, canary: canary, counts: !state.isCountForbidden)
  }

  /// Asks for all rows once if the schema has fields that they came without.
  private func refreshAll(_ state: ClassState) throws(ClassError) {
    guard !state.unknownFields(of: entity).isEmpty else { return }
    var last = LocalID(rawValue: 0)
    while true {
      let page = try context.read { reader throws(StoreError) in
        try reader.acknowledged(of: entity.name, after: last, limit: 1000)
      }
      guard let newest = page.last else { break }
      last = newest.localID
      try fetch(Set(page.map(\.objectID)))
    }
    let declared = Set(entity.fields.map(\.name))
    try context.change(key) { state in
      state.listedFields = declared
      state.unknownFields = []
      state.everListedFields.formUnion(declared)
    }
  }

  /// Imports records, and returns which of them the server shows.
  @discardableResult
  private func fetch(_ objectIDs: Set<String>) throws(ClassError) -> Set<String> {
    guard !objectIDs.isEmpty else { return [] }
    var present = Set<String>()
    let lookup = RecordLookup(context: context)
    let importer = RecordImport(context: context, stage: .deleteMissing)
    for chunk in objectIDs.sorted().chunks(of: 1000) {
      let found = try lookup.rows(objectIDs: chunk)
      present.formUnion(found.records.map(\.objectID) + found.failures.compactMap(\.objectID))
      try importer.take(found.records, found.failures)
    }
    return present
  }

  /// Any record that the server shows: a row of the store may be that of a deleted record, too.
  private func anyRecord() throws(ClassError) -> String? {
    var reader = PageReader(Entity(entity.name, fields: []))
    let page = try context.page(ParseQuery(order: ["objectId"], keys: [], limit: 1), by: &reader)
    return page.lastObjectID
  }
}
