// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// Apps that restore what syncs overwrote or removed.
extension Player {
  /// Restores the newest conflict record that was not restored yet.
  func restoreLast(on device: Device) throws {
    guard let conflict = try device.restorable().first,
      try !mayMakeSecondRow([conflict], on: device)
    else { return }
    let former = try device.currentRows()
    try judge([device.restore(conflict)], since: former, on: device)
  }

  /// Restores all that the newest of the runs overwrote or removed.
  func restoreRun(on device: Device) throws {
    guard let run = try device.restorable().lazy.compactMap(\.run).first,
      try !mayMakeSecondRow(device.restorable().filter { $0.run == run }, on: device)
    else { return }
    let former = try device.currentRows()
    try judge(device.restoreAll(of: run), since: former, on: device)
  }

  /// Whether a restore makes a row beside one that is there or may come: the rules know a row by its name.
  ///
  /// Documented: a removed record that is restored is a new one. So two devices that restore it make two, and so does
  /// an edit of another device that wins over the removal.
  private func mayMakeSecondRow(
    _ conflicts: [ConflictRecord], on device: Device
  ) throws -> Bool {
    let whole = conflicts.filter(\.isWholeRecord).map { oracle.identities.name(of: $0) }
    guard !whole.isEmpty else { return false }
    var taken = Set(try device.currentRows().rows.values.map(\.name))
    for other in devices where other.number != device.number {
      taken.formUnion(try other.currentRows().rows.values.map(\.name))
      taken.formUnion(try other.unsentChanges().map(\.row))
      taken.formUnion(try other.restoredRows(oracle.identities))
    }
    return Set(whole).count < whole.count
      || whole.contains { taken.contains($0) || !oracle.isGoneForGood($0) }
  }

  private func judge(
    _ restorations: [ConflictRestoration], since former: DeviceRows, on device: Device
  ) throws {
    let later = try device.currentRows()
    for restoration in restorations {
      guard case .success = restoration.result else {
        tally.count("a restore is refused", isWithinSync: !courses.isEmpty)
        continue
      }
      let name = oracle.identities.name(of: restoration.conflict)
      tale.add(.decide(device.number, .restore(name)))
      if restoration.conflict.isWholeRecord { oracle.identities.restoredAnew.insert(name) }
      tally.count("an app restores a conflict record", isWithinSync: !courses.isEmpty)
    }
    oracle.tookBack(from: former, to: later, on: device.number)
    guard world.settings.trigger == nil else { return }
    try oracle.checkRestore(
      restorations, from: former, to: later, on: device.letter, device.program.store.schema)
  }
}

extension Oracle {
  /// A restore writes the lost values, and touches no other row.
  func checkRestore(
    _ restorations: [ConflictRestoration], from former: DeviceRows, to later: DeviceRows,
    on letter: String, _ schema: Schema
  ) throws(Violation) {
    // Of several lost values of a field, the last one stays.
    var written: [Pointer: [String: Content]] = [:]
    for restoration in restorations {
      guard case .success(let row) = restoration.result,
        let entity = schema.entity(row.className)
      else { continue }
      let place = Pointer(className: row.className, objectID: row.objectID)
      for (field, value) in classes.judged(restoration.conflict.restorableFields(of: entity)).values
      {
        written[place, default: [:]][field] = Content(value, name: identities.name)
      }
    }
    for (place, fields) in written {
      let row = later.rows[place]
      for (field, content) in fields where row?.fields[field] ?? .empty != content {
        throw Violation(
          .takenBack,
          "a restore of \(letter) left \(identities.name(place)).\(field) without the lost value \(content.text)"
        )
      }
    }
    let others = { (rows: DeviceRows) in rows.rows.filter { written[$0.key] == nil } }
    guard others(former) != others(later) else { return }
    throw Violation(.takenBack, "a restore of \(letter) changed a row that it does not name")
  }

  /// Whether a record was removed from the server, and nothing may bring it back: an app may undo its delete.
  ///
  /// So may an app that took its delete back: an undo of that deletes the row again, and the next one brings it back, also
  /// after a sync has removed it.
  func isGoneForGood(_ row: String) -> Bool {
    let deleters = deleted[row, default: []]
    guard deleters.isSubset(of: [.client]), !revived.contains(row) else { return false }
    return history.removed.contains(row) && !history.isThere(row) && !overdue.contains(row)
      && !unanswered.contains(row) && !rights.everHidden.contains(row)
  }
}

extension Identities {
  /// The name of the row that a conflict record is about.
  func name(of conflict: ConflictRecord) -> String {
    name(Pointer(className: conflict.record.className, objectID: conflict.record.objectID))
  }
}
