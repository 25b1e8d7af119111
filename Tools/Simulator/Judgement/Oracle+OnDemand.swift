// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import LoopbackParse

// The rules for classes that no sync lists.
extension Oracle {
  /// Whether a device asks in the end only for the rows of on-demand classes that it has; others fetch all.
  func holdsPart(_ device: Int) -> Bool { (Int(world.seed % 2) + device).isMultiple(of: 2) }

  /// A device makes a record only of a row that its app touched, and removes only records that an app deleted.
  func judgeUnasked(_ commit: LoopbackCommit, by sender: Sender) {
    demand.committed()
    guard let device = sender.device, !hasGoneBack,
      world.madeClass(commit.className)?.isOnDemand == true
    else { return }
    let record = Pointer(className: commit.className, objectID: commit.objectId)
    let row =
      commit.fields.flatMap { classes.name(of: commit.className, $0) }
      ?? identities.name(record)
    let letter = Writer.letter(of: device)
    if commit.fields == nil || classes.isMarked(commit.className, commit.fields) {
      // The second record of a create goes, too.
      guard deleted[row]?.isEmpty != false, !overdue.contains(row), !unanswered.contains(row),
        !revived.contains(row), !history.removed.contains(row), history.count(of: row) < 2
      else { return }
      demand.violation =
        demand.violation
        ?? Violation(.uninvited, "\(letter) removed \(row) from the server, and nobody deleted it")
    } else if !history.has(row, under: commit.objectId), !demand.hasEverTouched(row, on: device) {
      demand.violation =
        demand.violation
        ?? Violation(.uninvited, "\(letter) made a record of \(row), which its app never edited")
    }
  }

  /// A run brings rows of on-demand classes only if it fetches them, or if the app or a change that waits has to do
  /// with them.
  ///
  /// - Parameters:
  ///   - before: The device before the run.
  ///   - after: The device after it.
  ///   - fetched: The class that the run fetches; nil for a sync.
  /// - Throws: `Violation` for a row that came by itself.
  func checkUninvited(
    _ before: DeviceView, _ after: DeviceView, besides fetched: String? = nil
  ) throws(Violation) {
    if let violation = demand.violation { throw violation }
    let known = Set(before.rows.map(\.name)).union(before.quarantined)
      .union(before.pending.map { before.name(of: $0, identities) })
    let isListed = { (name: String) in
      name != fetched && self.world.madeClass(name)?.isOnDemand == true
    }
    for row in after.rows where isListed(row.className) && !known.contains(row.name) {
      guard !demand.hasTouched(row.name, inRunOf: after.number) else { continue }
      throw Violation(
        .uninvited, "\(after.device) has \(row.name), which it did not fetch")
    }
  }

  /// A row without an unsent create is one of a record.
  func noteHeldRows(_ device: Int, _ view: DeviceView) {
    let new = Set(view.pending.filter { $0.kind == .create }.map { view.name(of: $0, identities) })
    demand.holds(Set(view.rows.map(\.name)).subtracting(new), on: device)
  }

  /// Whether the running program does not declare a field that waits.
  private func isOfOtherProgram(_ part: DeviceView.Waiting, _ view: DeviceView) -> Bool {
    view.hidesLater && part.field.map { classes.isLater($0, of: part.className) } ?? false
  }

  /// Whether the app wrote a value into a field that waits, and the server never had it.
  private func hasUnsentWrite(_ part: DeviceView.Waiting, _ view: DeviceView) -> Bool {
    let row = view.rows.first { $0.className == part.className && $0.localID == part.localID }
    guard let row, let field = part.field else { return false }
    let place = RowField(row: row.name, field: field)
    return open[view.number][place].map { !history.held($0, in: place) } ?? false
  }

  /// Rows that were evicted are gone and had nothing unsent; the others are as they were.
  func checkEviction(
    _ evicted: [LocalID], of classNames: [String], _ before: DeviceView, _ after: DeviceView
  ) throws(Violation) {
    for row in before.rows where classNames.contains(row.className) {
      let isEvicted = evicted.contains(row.localID)
      let now = after.rows.first { $0.className == row.className && $0.localID == row.localID }
      if isEvicted, let now, now.name == row.name, Set(classNames).count == 1 {
        throw Violation(.uninvited, "\(after.device) has \(row.name), which it evicted")
      }
    }
    for entry in before.pending {
      let isOfRow = { (row: DeviceView.Row) in
        row.className == entry.className && row.localID == entry.localID
      }
      guard before.rows.contains(where: isOfRow), !after.rows.contains(where: isOfRow) else {
        continue
      }
      throw Violation(
        .lostWrite,
        "\(after.device) evicted \(before.name(of: entry, identities)) with an unsent \(entry.kind.rawValue)"
      )
    }
    // An entry may end whose fields the program does not declare. Then the store has the edits in its log.
    // Until then, it also counts a row that a statement inserted again with its value, which is no edit.
    let lost = before.waiting.subtracting(after.waiting)
      .filter { !isOfOtherProgram($0, before) || hasUnsentWrite($0, before) }
    let added = after.waiting.subtracting(before.waiting)
    if let part = lost.first ?? added.first {
      throw Violation(
        .lostWrite,
        "an eviction of \(after.device) changed what waits: \(part.className) \(part.field ?? "as a whole") "
          + (lost.isEmpty ? "waits now" : "waits no more"))
    }
  }
}
