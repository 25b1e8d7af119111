// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Updates and deletes of a few rows, some of which point to rows that the server lacks.
enum ChangesCase {
  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var entries: [OutboxEntry] = []
    var records: [RecordKey: Record] = [:]
    var unsent = Set<String>()
    for number in 1...(1 + chance.number(below: 5)) {
      var row = Record(
        className: "Game", localID: LocalID(rawValue: Int64(number)), objectID: "g\(number)",
        fields: GeneratedFields.make(&chance), createdAt: GeneratedEntry.created,
        version: GeneratedEntry.version)
      row.fields["next"] = .pointer(
        Pointer(className: "Game", objectID: "g\(1 + chance.number(below: 6))"))
      records[row.key] = row
      switch chance.number(below: 3) {
      case 0: entries.append(OutboxEntry(deleting: row, foldedThrough: .start))
      case 1:
        (row.createdAt, row.version) = (nil, nil)
        entries.append(OutboxEntry(creating: row, foldedThrough: .start))
        unsent.insert(row.objectID)
      default: entries.append(update(of: row, &chance))
      }
    }
    let held = Set(entries.map(\.key).filter { _ in chance.one(in: 8) })
    let dangling: Set<Pointer> =
      chance.one(in: 4) ? [Pointer(className: "Game", objectID: "g6")] : []
    var unreadable: [RecordKey: UnreadableRemote] = [:]
    for entry in entries where chance.one(in: 6) {
      unreadable[entry.key] = UnreadableRemote(
        fields: chance.one(in: 3) ? nil : GeneratedFields.make(&chance).values,
        reason: "It is damaged.")
    }
    // A record that cannot be read is there.
    let missing = unsent.subtracting(unreadable.keys.map { "g\($0.localID)" })
    let planner = UploadPlanner(
      entries: entries, records: records, held: held, dangling: dangling, unreadable: unreadable,
      at: GeneratedEntry.now)
    let due = entries.filter { !held.contains($0.key) && $0.mayMove }
    var text: String {
      "\(entries)\n\(records.values)\nheld \(held), dangling \(dangling), \(unreadable)"
    }
    let updates = planner.updates()
    try checkWave(updates, of: due.filter { $0.kind == .update && !$0.changed.isEmpty }, text)
    for write in updates.writes {
      guard let row = records[write.key], let entry = due.first(where: { $0.key == write.key })
      else { continue }
      let sent = entry.changed.subtracting(write.withheld)
      try law(!sent.isEmpty, "an update sends a field", "\(text)\n\(updates)")
      try law(
        write.withheld.isEmpty || updates.stuck[write.key] != nil,
        "an update in part says why", "\(text)\n\(updates)")
      for name in sent {
        let pointers = row[name].pointers
        try law(
          !pointers.contains { missing.contains($0.objectID) || dangling.contains($0) },
          "an update is sent after its targets", "\(text)\n\(updates)")
        guard let remote = unreadable[write.key]?.fields?[name] else { continue }
        try law(
          remote == row[name] || entry.isRemoteUnchanged(name, remote),
          "no edit overwrites a value that cannot be imported", "\(text)\n\(updates)")
      }
    }
    let deletes = planner.deletes()
    try checkWave(deletes, of: due.filter { $0.kind == .delete }, text)
    try law(
      deletes.writes.allSatisfy { unreadable[$0.key] == nil },
      "no delete removes a record that cannot be imported", "\(text)\n\(deletes)")
  }

  private static func update(of row: Record, _ chance: inout SeededGenerator) -> OutboxEntry {
    var entry = OutboxEntry(editing: row, foldedThrough: .start)
    for name in GeneratedFields.names + ["next"] where chance.one(in: 3) {
      entry.overwrite([name: .integer(Int64(chance.number(below: 3)))])
    }
    if chance.one(in: 10) { entry.refuse(Refusal(reason: .refused, message: "no")) }
    if chance.one(in: 10) { _ = entry.wait(in: .blocked(by: .notFound)) }
    return entry
  }

  private static func checkWave(
    _ wave: UploadPlanner.Wave, of due: [OutboxEntry], _ text: @autoclosure () -> String
  ) throws(BrokenLaw) {
    let keys = wave.writes.map(\.key)
    try law(Set(keys).count == keys.count, "each change is sent once", "\(text())\n\(wave)")
    try law(
      Set(keys).union(wave.stuck.keys) == Set(due.map(\.key)),
      "each due change is sent, or says why not", "\(text())\n\(wave)")
  }
}
