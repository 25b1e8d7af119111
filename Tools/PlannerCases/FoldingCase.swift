// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Edits of a few rows, folded at once and in parts.
enum FoldingCase {
  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    if chance.one(in: 2) { try checkSending(&chance) } else { try checkParts(&chance) }
  }

  /// The entries make the server's records equal to the rows.
  private static func checkSending(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var world = FoldingWorld.synced(&chance, acl: FoldingWorld.accessList)
    var server = Dictionary(
      world.rows.values.map { ($0.objectID, $0.fields) }, uniquingKeysWith: { $1 })
    for _ in 0...chance.number(below: 8) {
      world.perform(FoldingWorld.Edit(&chance))
      if chance.one(in: 4) { world.fold() }
    }
    world.fold()
    for entry in world.entries {
      let row = world.rows[entry.localID]
      switch entry.kind {
      case .create:
        try law(
          server[entry.objectID] == nil, "only a record that the server lacks is created",
          "\(world)"
        )
        server[entry.objectID] = row?.fields.only(entry.changed)
      case .update:
        for name in entry.changed { server[entry.objectID]?[name] = row?.fields[name] }
      case .delete: server[entry.objectID] = nil
      case .deleteAfterCreate:
        throw BrokenLaw(sentence: "no create is under way", values: "\(entry)")
      }
    }
    let rows = Dictionary(
      world.rows.values.map { ($0.objectID, $0.fields) }, uniquingKeysWith: { $1 })
    let isKnownRowOpen = world.rows.values.contains {
      $0.createdAt != nil && $0.acl != FoldingWorld.accessList
    }
    try law(!isKnownRowOpen, "a row of a known record keeps its access list", "\(world)")
    try law(
      server == rows, "the entries send each edit, and nothing else",
      "\(world)\nserver \(server)")
  }

  /// Folding at once equals folding in parts, also while entries are sent and answered.
  ///
  /// Rows have no access lists: where the app deletes a row that the server lacks, a fold forgets its list.
  private static func checkParts(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var atOnce = FoldingWorld.synced(&chance, acl: .null)
    for _ in 0..<chance.number(below: 10) {
      atOnce.perform(FoldingWorld.Edit(&chance))
      atOnce.fold()
      atOnce.move(&chance)
    }
    atOnce.fold()
    try checkEntries(atOnce)
    let again = atOnce.outcome
    try law(
      again.entries.isEmpty && again.removed.isEmpty && again.reinserted.isEmpty
        && again.withdrawn.isEmpty, "folding again changes nothing", "\(atOnce)")
    var inParts = atOnce
    for _ in 0...chance.number(below: 8) {
      let edit = FoldingWorld.Edit(&chance)
      atOnce.perform(edit)
      inParts.perform(edit)
      if chance.one(in: 2) { inParts.fold() }
    }
    atOnce.fold()
    inParts.fold()
    try law(
      atOnce.rows == inParts.rows
        && atOnce.comparableEntries == inParts.comparableEntries,
      "folding at once equals folding in parts", "\(atOnce)\n\(inParts)")
    try checkEntries(atOnce)
  }

  private static func checkEntries(_ world: FoldingWorld) throws(BrokenLaw) {
    try law(
      Set(world.entries.map(\.objectID)).count == world.entries.count,
      "an object id has at most one entry", "\(world)")
    for entry in world.entries {
      let row = world.rows[entry.localID]
      let isDelete = entry.kind == .delete || entry.kind == .deleteAfterCreate
      try law((row == nil) == isDelete, "a deleted row has a delete", "\(entry)")
      try law(row == nil || row?.objectID == entry.objectID, "an entry names its row", "\(entry)")
      try law(
        entry.state != .sending && entry.state != .inDoubt || entry.hasUnresolvedAttempts,
        "an entry under way has an attempt", "\(entry)")
      try law(
        entry.state != .ready || entry.kind != .deleteAfterCreate,
        "the delete of an unknown create waits", "\(entry)")
      guard entry.kind == .update else { continue }
      try law(
        !entry.changed.isEmpty || !entry.attempts.isEmpty, "no entry is empty", "\(entry)")
      try law(
        entry.changed.allSatisfy { entry.base[$0] != nil }, "each field to send has a base",
        "\(entry)")
    }
  }
}

extension FoldingWorld {
  /// The entries without two values that may differ: a row that was inserted again may lack the version that its
  /// entry knows, and an entry whose row is gone has any local id that no row has.
  fileprivate var comparableEntries: [OutboxEntry] {
    entries.map { entry in
      var entry = rows[entry.localID] == nil ? entry.moved(to: LocalID()) : entry
      entry.meet(FoldingWorld.version)
      return entry
    }.sorted { $0.objectID < $1.objectID }
  }
}
