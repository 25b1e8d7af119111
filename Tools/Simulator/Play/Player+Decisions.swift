// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// Apps that take their edits back, or have them sent again.
extension Player {
  /// Carries a decision of an app out, if there is something to decide about.
  func decide(_ decision: Decision, on number: Int) throws {
    let device = devices[number]
    // A failing disk is the matter of other worlds.
    guard device.disk == nil, !device.isKilled else { return }
    defer { noteEdit(on: number) }
    switch decision {
    case .undo: try takeBack(.undo, on: device)
    case .redo: try takeBack(.redo, on: device)
    case .discard(let row):
      guard let entry = try device.unsentChanges().first(where: { $0.row == row })?.entry
      else { return }
      try discard(row, entry, on: device)
    case .discardAll: try discardAll(on: device)
    case .retry(let row):
      for (name, entry) in try device.unsentChanges() where name == row {
        guard try device.retry(entry) else { continue }
        tell(.retry(row), on: device, "an app sends a parked change again")
      }
    case .restore, .restoreLast: try restoreLast(on: device)
    case .restoreRun: try restoreRun(on: device)
    case .retryAll:
      let waiting = try device.unsentChanges().filter { change in
        var entry = change.entry
        return entry.sendAgain()
      }
      guard try device.retryAll() > 0 else { return }
      for (row, _) in waiting {
        tell(.retry(row), on: device, "an app sends a parked change again")
      }
    }
  }

  private func tell(_ decision: Decision, on device: Device, _ happening: String) {
    tale.add(.decide(device.number, decision))
    tally.count(happening, isWithinSync: !courses.isEmpty)
  }

  // MARK: Undo and redo

  private func takeBack(_ step: AppHistory.Step, on device: Device) throws {
    let (former, history) = (try device.currentRows(), device.history)
    let expected = step == .undo ? history.undoable : history.redoable
    guard let result = try device.takeBack(step) else {
      guard expected != nil, !history.hadOtherPrograms, !history.mayForget(step, at: clock.date)
      else { return }
      throw Violation(.takenBack, "\(device.letter) found nothing to \(step)")
    }
    let later = try device.currentRows()
    tell(step == .undo ? .undo : .redo, on: device, "an app \(step)es")
    oracle.tookBack(from: former, to: later, on: device.number)
    guard history.hadOtherPrograms || result.token == expected else {
      throw Violation(.takenBack, "the \(step) of \(device.letter) took another transaction back")
    }
    try oracle.checkUndo(result, from: former, to: later, on: device.letter)
    // Documented: nobody knows the list that the create of a new row has brought since.
    let kept = result.kept.filter { $0.edit.before[Fields.accessList] != .null }
    guard let kept = kept.first, history.isOfLast(step), !history.hadOtherPrograms,
      world.settings.trigger == nil
    else { return }
    throw Violation(
      .takenBack,
      "the \(step) of \(device.letter) right after the transaction kept "
        + "\(oracle.identities.name(kept.edit.place)): \(kept.reason.rawValue)")
  }

  // MARK: Discards

  private func discard(_ row: String, _ entry: OutboxEntry, on device: Device) throws {
    let former = try device.currentRows()
    do {
      guard try device.discard(entry) else { return }
    } catch let error as StoreError where [.beingSent, .cannotDiscard].contains(error.code) {
      return tally.count(
        "a discard is refused as \(error.code.rawValue)", isWithinSync: !courses.isEmpty)
    }
    tell(.discard(row), on: device, "an app discards a change")
    try judge(since: former, discarding: [entry], on: device)
    let rest = try device.unsentChanges().first {
      $0.entry.className == entry.className && $0.entry.localID == entry.localID
    }
    // A program that declares fewer fields discards their edits alone.
    guard let rest, !device.history.hadOtherPrograms,
      try !oracle.renewsPointers(rest.entry, in: device.view())
    else { return }
    throw Violation(
      .takenBack,
      "\(device.letter) discarded the change of \(row), and its \(rest.entry.kind.rawValue) still waits"
    )
  }

  private func discardAll(on device: Device) throws {
    let (former, waiting) = (try device.currentRows(), try device.unsentChanges())
    guard try device.discardAll() > 0 else { return }
    let left = Set(try device.unsentChanges().map(\.row))
    let discarded = waiting.filter { !left.contains($0.row) }.map(\.entry)
    for row in Set(waiting.map(\.row)).subtracting(left).sorted() {
      tell(.discard(row), on: device, "an app discards a change")
    }
    try judge(since: former, discarding: discarded, on: device)
    let later = try device.currentRows()
    let count = try device.discardAll()
    let last = try device.currentRows()
    oracle.tookBack(from: later, to: last, on: device.number)
    // A trigger of the app may move a row away while others are discarded.
    guard count > 0, world.settings.trigger == nil else { return }
    throw Violation(
      .takenBack, "\(device.letter) discarded all changes, and \(count) more when it tried again")
  }

  private func judge(
    since former: DeviceRows, discarding entries: [OutboxEntry], on device: Device
  ) throws {
    let later = try device.currentRows()
    oracle.tookBack(from: former, to: later, on: device.number)
    let lists = entries.filter { $0.changed.contains(Fields.accessList) }
      .map { Pointer(className: $0.className, objectID: $0.objectID) }
    oracle.discardedLists(of: lists, from: former, to: later, on: device.number)
    try oracle.checkDiscard(from: former, to: later, on: device.number)
  }
}
