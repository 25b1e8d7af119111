// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Local rows, a list of the server, and all steps until rows are removed.
struct RemovalCase {
  private static let range = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 10_000)

  private let rows: [Record]
  private let listed: [RangeDifference.Listed]
  private let known: ComparedRecords
  private var difference = RangeDifference()

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let removal = RemovalCase(&chance)
    try removal.checkDifference()
    let gone = try removal.checkAbsence(&chance)
    try removal.checkGuard(gone, &chance)
    try removal.checkPlan(gone, &chance)
  }

  private init(_ chance: inout SeededGenerator) {
    let ids = (0..<8).map { "r\($0)" }
    rows = ids.enumerated().filter { _ in chance.one(in: 2) }.map { number, id in
      var row = GeneratedEntry.row(GeneratedFields.make(&chance))
      row.localID = LocalID(rawValue: Int64(number + 1))
      row.objectID = id
      return row
    }
    listed = ids.filter { _ in chance.one(in: 2) }.map { id in
      .init(
        objectID: id,
        version: chance.one(in: 8)
          ? nil : chance.one(in: 3) ? ServerVersion(rawValue: "v2") : GeneratedEntry.version,
        isFlagged: chance.one(in: 8))
    }
    var known = ComparedRecords()
    let stored = Set(rows.map(\.objectID))
    for id in ids where chance.one(in: 6) {
      if stored.contains(id) {
        known.held[id] = GeneratedEntry.created
      } else if chance.one(in: 2) {
        known.deletions[id] = GeneratedEntry.created
      } else {
        known.quarantined[id] = QuarantinedRecord(
          className: "Game", objectID: id, version: GeneratedEntry.version,
          createdAt: GeneratedEntry.created, raw: "{}", reason: "It is damaged.",
          schemaFingerprint: "")
      }
    }
    for id in ids where known.quarantined[id] != nil || stored.contains(id) && chance.one(in: 6) {
      if chance.one(in: 2) { known.toReadAgain.insert(id) }
    }
    self.known = known
    difference.compare(
      local: rows.map {
        StoredVersion(
          localID: $0.localID, objectID: $0.objectID, createdAt: $0.createdAt, version: $0.version)
      }, remote: listed, in: Self.range, known)
  }

  private var text: String {
    "rows \(rows.map(\.objectID))\nlisted \(listed)\n\(known)\n\(difference)"
  }

  private func checkDifference() throws(BrokenLaw) {
    let shown = Set(listed.map(\.objectID))
    let stored = Dictionary(rows.map { ($0.objectID, $0) }, uniquingKeysWith: { $1 })
    try law(difference.missing.isDisjoint(with: shown), "a row that is listed is not missing", text)
    for row in rows {
      try law(
        shown.contains(row.objectID) || known.held[row.objectID] != nil
          || difference.missing.contains(row.objectID), "a row that is not listed is missing", text)
    }
    try law(
      difference.missing.allSatisfy { stored[$0] != nil && known.held[$0] == nil },
      "only a row that waits for nobody is missing", text)
    try law(
      difference.wanted.isSubset(of: shown)
        && difference.wanted.allSatisfy { known.deletions[$0] == nil },
      "only a listed record that the app did not delete is fetched", text)
    for record in listed where known.deletions[record.objectID] == nil {
      let row = stored[record.objectID]
      let isReadAgain = known.toReadAgain.contains(record.objectID)
      let isSame = !isReadAgain && record.version.map { row?.version == $0 } ?? false
      let setAside = known.quarantined[record.objectID]?.version
      let isSetAside = setAside != nil && (record.version == nil || record.version == setAside)
      if isSetAside, record.version == nil || !isReadAgain {
        try law(
          !difference.wanted.contains(record.objectID),
          "a record that was set aside is not fetched again", text)
        continue
      }
      guard !isSame, row != nil || !record.isFlagged else { continue }
      try law(
        difference.wanted.contains(record.objectID), "a record that differs is fetched", text)
    }
    try law(
      difference.missingQuarantined.isDisjoint(with: shown),
      "a listed record stays in quarantine", text)
  }

  /// The rows that are gone after each was asked for once more.
  private func checkAbsence(_ chance: inout SeededGenerator) throws(BrokenLaw) -> [String] {
    let candidates = difference.missing.sorted()
    let present = Set(candidates.filter { _ in chance.one(in: 3) })
    let hidden = Set(present.filter { _ in chance.one(in: 4) })
    let canary = listed.first.flatMap { chance.one(in: 4) ? nil : $0.objectID }
    let isCanaryShown = !chance.one(in: 6)
    let limit = 1 + chance.number(below: 4)
    let counts = chance.one(in: 2)
    var check = AbsenceCheck(candidates, canary: canary, counts: counts)
    var seen = Set<String>()
    var requests = 0
    while let wanted = check.wanted {
      requests += 1
      let matching = wanted.filter { present.contains($0) || $0 == canary && isCanaryShown }
      let shown = Array(matching.filter { !hidden.contains($0) }.prefix(limit))
      seen.formUnion(shown)
      check.take(shown: shown, count: counts ? matching.count : nil)
      guard requests <= candidates.count + 2 else {
        throw BrokenLaw(sentence: "a check of absent records has an end", values: text)
      }
    }
    let visible = present.subtracting(hidden)
    switch check.conclusion {
    case .untrustworthy:
      try law(canary != nil && !isCanaryShown, "a record that appears is believed", text)
      return []
    case .hidden:
      try law(counts && !hidden.isEmpty, "only a hidden record hides", text)
      return []
    case .gone(let gone):
      try law(canary == nil || isCanaryShown, "a known record that is missing is noticed", text)
      try law(seen.isDisjoint(with: gone), "a record that was shown is not gone", text)
      try law(visible.isDisjoint(with: gone), "a record that the server has is not gone", text)
      try law(
        !counts || hidden.isEmpty, "a count that shows hidden records is believed", text)
      try law(Set(gone).isSubset(of: candidates), "only a candidate is gone", text)
      return gone
    }
  }

  private func checkGuard(
    _ gone: [String], _ chance: inout SeededGenerator
  ) throws(BrokenLaw) {
    let limit = RemovalLimit(
      share: 0.25, count: chance.number(below: 4), allowsEmptying: chance.one(in: 4))
    let total = gone.count + chance.number(below: 3)
    let today = chance.number(below: 4)
    var guarding = DeleteGuard(limit: limit, confirmed: ["another set"])
    let earlier = chance.one(in: 3) ? total - chance.number(below: 2) : nil
    func action(whenHeld: Int?, gained: Int = 0) -> DeleteGuard.Action {
      guarding.action(
        "Game", on: .local, removing: gone, of: total + gained, whenHeld: whenHeld,
        removedToday: today)
    }
    var text: String {
      "\(limit), \(gone) of \(total), today \(today), held of \(String(describing: earlier))"
    }
    if action(whenHeld: nil) != .pass {
      try law(action(whenHeld: earlier) != .pass, "an earlier hold lets nothing more pass", text)
    }
    switch action(whenHeld: earlier) {
    case .pass:
      let isEmptying = !gone.isEmpty && gone.count == total && total + today >= 5
      try law(!isEmptying || limit.allowsEmptying, "a class is not emptied unasked", text)
      try law(
        gone.isEmpty || gone.count + today <= limit.count
          || Double(gone.count + today) <= limit.share * Double(total + today),
        "removals above the limit are held", text)
    case .hold(let held, let fewest):
      try law(
        action(whenHeld: fewest, gained: chance.number(below: 40)) != .pass,
        "a held set stays held while its class gains records", text)
      try law(held.objectIDs == gone.sorted() && held.total == total, "a hold names its set", text)
      guarding.confirmed.insert(held.confirmation)
      try law(action(whenHeld: earlier) == .pass, "a confirmed set passes", text)
    }
  }

  private func checkPlan(
    _ gone: [String], _ chance: inout SeededGenerator
  ) throws(BrokenLaw) {
    let removed = rows.filter { gone.contains($0.objectID) }
    var entries: [LocalID: OutboxEntry] = [:]
    for row in removed where chance.one(in: 2) {
      var entry = OutboxEntry(editing: row, foldedThrough: .start)
      entry.overwrite(["f": .integer(7)])
      if chance.one(in: 4) { entry.rewritten = ["f"] }
      entries[row.localID] = entry
    }
    let policy = chance.one(in: 2) ? DeletionPolicy.deleteWins : .editWins
    let keeps = chance.one(in: 4)
    let plan = RemovalPlanner(
      className: "Game", deletionPolicy: policy, keepsRows: keeps, userID: nil,
      now: GeneratedEntry.now, foldedThrough: .start
    ).plan(removed, entries: entries)
    var text: String { "\(removed)\n\(entries)\n\(policy), keeps \(keeps)\n\(plan)" }
    try law(
      Set(plan.removed).isSubset(of: removed.map(\.localID)), "only a row that is gone is removed",
      text)
    for row in removed {
      let isRemoved = plan.removed.contains(row.localID)
      let isEdited = entries[row.localID]?.edited.isEmpty == false
      let recreation = plan.recreated.first { $0.row.localID == row.localID }
      let isKept = plan.conflicts.contains {
        $0.record.objectID == row.objectID && $0.isWholeRecord && $0.lost == row.fields
      }
      try law(!isRemoved || isKept, "a removed row is kept as a conflict record", text)
      try law(!isRemoved || !keeps, "a class that is never removed keeps its rows", text)
      try law(
        (recreation != nil) == (isEdited && policy == .editWins),
        "an edit that wins revives its row",
        text)
      guard let recreation else {
        let isEnded = entries[row.localID].map { plan.done.contains($0) } ?? true
        try law(isEnded, "a change of a row that is gone ends", text)
        continue
      }
      try law(
        recreation.row.fields == row.fields && recreation.entry.kind == .create
          && recreation.entry.changed == Set(row.fields.names),
        "a revived row is sent with all its values", text)
    }
  }
}
