// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import LoopbackParse

// The rules for a world in which nothing goes wrong any more and every device has synced three times.
extension Oracle {
  /// The server's rows that a user may read, by name, without those that are marked as removed.
  func serverRows(
    of made: WorldClass, _ rows: [LoopbackValue], for user: User?
  ) throws(Violation) -> [String: [String: Content]] {
    var named: [String: [String: Content]] = [:]
    for row in rows
    where made.flag.map({ row[$0] != true }) ?? true && rights.mayRead(row["ACL"], user) {
      let name = row[made.title]?.string ?? "?"
      // Documented: a listing with a filter shows no duplicate of a record outside it, and no sync lists an on-demand class.
      let isUnseen =
        (made.isFiltered || made.isOnDemand)
        && (overdue.contains(name) || hasGoneBack || world.settings.editWins && wasRemoved(name))
      var fields: [String: Content] = [:]
      for field in made.entity.fields where field.name != made.flag {
        fields[field.name] = row[field.name].map { Content($0, name: identities.name) } ?? .empty
      }
      if let list = classes.list(row["ACL"]) {
        fields[Fields.accessList] = Content(list, name: identities.name)
      } else if classes.judgesLists {
        fields[Fields.accessList] = .empty
      }
      // The delete of the second record was denied at some time to the user of its device, so it waits for the app.
      // Documented: a second record that cannot be read stays in quarantine.
      let hasUnreadable = !made.canRead(fields) || named[name].map(made.canRead) == false
      let isKept = mayBeDouble(name) && (rights.wasDenied(name) || hasUnreadable)
      guard
        named[name] == nil || isUnseen || isKept || isForgotten(name) || isDisputed(name)
          || isRevivedTwice(name)
      else {
        throw Violation(.duplicate, "the server has two records of \(name)")
      }
      if says(fields, moreThan: named[name], of: made) { named[name] = fields }
      // No device has a row outside the filter, so nobody can set its pointers right. The device that
      // created the target again, for whichever user, may not read a hidden record, and the server may refuse
      // its change.
      // A record that cannot be read waits in quarantine with its pointers.
      let isOpen =
        !rights.everHidden.contains(name) && !rights.wasDenied(name)
        && made.canRead(fields)
      // A device that does not hold the row sets no pointer right, and neither does one without the target.
      for pointer in made.pointers
      where made.keeps(fields) && isOpen && !made.isOnDemand
        && world.madeClass(pointer.target)?.isOnDemand != true
      {
        try checkTarget(row[pointer.field], of: RowField(row: name, field: pointer.field))
      }
    }
    return named
  }

  /// Whether the rules compare one of two records of a row with the devices, rather than the other.
  ///
  /// Changes may wait for one that cannot be read. No device has a row of one outside the filter.
  private func says(
    _ fields: [String: Content], moreThan other: [String: Content]?, of made: WorldClass
  ) -> Bool {
    guard let other, made.canRead(other) else { return other == nil }
    return !made.canRead(fields) || made.keeps(fields) || !made.keeps(other)
  }

  /// Documented: several devices may create such a record again, and no listing shows the one of the other.
  private func wasRemoved(_ name: String) -> Bool { history.removed.contains(name) }

  /// Whether a create of the row may have been carried out twice: it arrived twice, or a copy of the store sent it.
  private func mayBeDouble(_ name: String) -> Bool { hasGoneBack || overdue.contains(name) }

  /// Documented: only the device that sent a create knows that both records come from it.
  private func isForgotten(_ name: String) -> Bool { hasGoneBack && overdue.contains(name) }

  /// Documented: nobody can tell a create of unknown outcome from a record that was deleted since.
  ///
  /// Where edits win, another device may have created that one again. Of a record that was deleted, created again
  /// and deleted again, each device creates the one that it knew.
  private func isRevivedTwice(_ name: String) -> Bool {
    world.settings.editWins
      && (unanswered.contains(name) && wasDeletedByOthers(name)
        || history.removedAgain.contains(name))
  }

  /// A pointer on the server names a record by the id that it has, not by one that it had.
  private func checkTarget(_ value: LoopbackValue?, of place: RowField) throws(Violation) {
    guard let className = value?["className"]?.string, let objectID = value?["objectId"]?.string
    else { return }
    let target = identities.name(Pointer(className: className, objectID: objectID))
    // A device may have created a hidden record again and linked that record, and a client deleted it since.
    // Documented: a create whose outcome is unknown, or that arrives after the longest request, may make a record of
    // its own. A removed record that an app restores is a new one, too.
    guard !identities.restoredAnew.contains(target), history.isThere(target),
      !history.has(target, under: objectID), !isDisputed(target),
      !mayHaveUnknownID(target, in: className), !isUndecidable(target), !isRevivedTwice(target)
    else { return }
    throw Violation(
      .divergence,
      "\(place.row).\(place.field) points to \(target) by the id \(objectID), which it no longer has"
    )
  }

  /// Whether a record of the row may have been created again under an id that no device knows.
  ///
  /// Documented: from a backup, or outside the class's filter, where no device has a row of it. An app creates a record
  /// again by taking its delete back, and where edits win, a sync does so.
  private func mayHaveUnknownID(_ name: String, in className: String) -> Bool {
    let isFiltered = world.classes.contains { $0.name == className && $0.isFiltered }
    let isRevivedOutside = revived.contains(name) && history.everOutside.contains(name)
    return wasRemoved(name)
      && (hasGoneBack || isFiltered && (world.settings.editWins || isRevivedOutside))
  }

  /// A device holds what the server holds, and nothing waits there; a part of it, where it asked for its rows alone.
  func checkEnd(
    of made: WorldClass, server: [String: [String: Content]], _ view: DeviceView
  ) throws(Violation) {
    let unreadable = made.unreadable(server)
    var missing = server.filter { made.keeps($0.value) && !unreadable.contains($0.key) }
    var seen: Set<String> = []
    let waiting = Set(
      view.pending.filter { waitsForApp($0, view) || waitsForOutcome($0, of: unreadable, view) }
        .map { view.name(of: $0, identities) })
    for row in view.rows
    where row.className == made.name
      && !waiting.contains(row.name) && !unreadable.contains(row.name)
    {
      // Documented: the row of a duplicate that is gone stays, where no row goes; a listing with a filter
      // shows no duplicate of a record outside it.
      let hasTwo = history.count(of: row.name) > 1
      let isDouble =
        overdue.contains(row.name)
        && (made.deletions == .never || (made.isFiltered || made.isOnDemand) && hasTwo)
      // Where no row goes, that of a deleted record stays beside the one that a backup creates again, or
      // that a device creates which may not read the first one or never learned of it, or that was created
      // again twice.
      let isUnknown = isDisputed(row.name) || isUndecidable(row.name)
      let isAgain =
        (hasGoneBack || isUnknown || history.removedAgain.contains(row.name))
        && made.deletions == .never && history.removed.contains(row.name)
      let mayHaveTwo =
        isDisputed(row.name) || isForgotten(row.name) || isRevivedTwice(row.name)
        || mayBeDouble(row.name) && rights.wasDenied(row.name, to: view.owner)
      if isDouble || isAgain || mayHaveTwo && hasTwo {
        missing[row.name] = nil
        continue
      }
      guard seen.insert(row.name).inserted else {
        throw Violation(.duplicate, "\(view.device) has two rows of \(row.name)")
      }
      guard let there = missing.removeValue(forKey: row.name) else {
        if made.deletions == .never, server[row.name] == nil { continue }
        throw Violation(
          .divergence, "\(view.device) has \(row.name), which it should not have")
      }
      for (field, content) in there where row.fields[field] ?? .empty != content {
        if content == .empty, schema.mayLack(field, of: made.name) { continue }
        throw Violation(
          .divergence,
          "\(row.name).\(field) is \((row.fields[field] ?? .empty).text) on \(view.device) and "
            + "\(content.text) on the server")
      }
    }
    if made.isOnDemand, holdsPart(view.number) { return }
    if let name = missing.keys.filter({ !waiting.contains($0) }).min() {
      throw Violation(.divergence, "\(view.device) lacks \(name), which the server has")
    }
  }

  /// Nothing waits on a device.
  ///
  /// - Parameters:
  ///   - view: The device.
  ///   - server: The rows of the server.
  ///   - unreadable: Those that no device can read.
  ///   - kept: Those of them for which devices ask.
  /// - Throws: `Violation` if something waits, or is in quarantine, without a reason.
  func checkNothingWaits(
    _ view: DeviceView, server: Set<String>, unreadable: Set<String>, kept: Set<String>
  ) throws(Violation) {
    var waiting: Set<String> = []
    var refused: Set<String> = []
    for entry in view.pending {
      let name = view.name(of: entry, identities)
      waiting.insert(name)
      // The change waits for a version that can be read, and so does a look-up of it.
      if unreadable.contains(name), entry.waitsForReadable { continue }
      if waitsForOutcome(entry, of: unreadable, view) { continue }
      // Documented: the edit of a row that the server has deleted is not sent.
      if world.isNeverRemoved(entry.className), !server.contains(name) { continue }
      if waitsForComparison(entry, name) { continue }
      if waitsForRefused(entry, view) {
        refused.insert(name)
        continue
      }
      if entry.isParentGone {
        try checkWaitsRightly(entry, name, view, server)
        continue
      }
      throw Violation(
        .stuck,
        "\(view.device) still has an unsent \(entry.kind.rawValue) of \(name), "
          + "in the state \(entry.state)")
    }
    // Documented: a class that is never removed is compared in the course of a month.
    let isCompared = !world.classes.contains { $0.deletions == .never }
    // Where edits win, a refused edit keeps its row, also of a record that is marked as deleted.
    let waitsForApp = world.settings.editWins ? refused : []
    if let name = view.quarantined.first(where: {
      !unreadable.contains($0) && !waitsForApp.contains($0)
        && (isCompared || server.contains($0) && !history.removed.contains($0))
        // Documented: syncs do not list such a class.
        && !(history.removed.contains($0) && world.isOnDemand(rights.classes[$0]))
    }) {
      throw Violation(.quarantine, "\(view.device) has \(name) in quarantine")
    }
    let unseen = kept.subtracting(view.quarantined).subtracting(waiting)
    if let name = unseen.min() {
      throw Violation(
        .quarantine, "the server's \(name) cannot be read, and \(view.device) has no trace of it")
    }
  }

  /// A change that points to a row whose create is in doubt, because nobody can read the record.
  private func waitsForOutcome(
    _ entry: OutboxEntry, of unreadable: Set<String>, _ view: DeviceView
  ) -> Bool {
    guard case .blocked(.record(let waiting)) = entry.state else { return false }
    return view.pending.contains { other in
      other.className == waiting.className && other.localID == waiting.localID
        && other.waitsForReadable && unreadable.contains(view.name(of: other, identities))
    }
  }

  /// Documented: a class that is never removed is compared in the course of a month.
  ///
  /// Only a comparison finds that the record of a change is gone that could not be read. Another device may
  /// have created it again.
  private func waitsForComparison(_ entry: OutboxEntry, _ name: String) -> Bool {
    guard case .blocked(.quarantine) = entry.state else { return false }
    return world.isNeverRemoved(entry.className) && history.removed.contains(name)
  }

  /// A change that waits for the app points to a record that is not there.
  ///
  /// Documented: a create that arrives after more than the time of a request makes another record. Its device has given the
  /// row up.
  private func checkWaitsRightly(
    _ entry: OutboxEntry, _ name: String, _ view: DeviceView, _ server: Set<String>
  ) throws(Violation) {
    guard let row = view.rows.first(where: { $0.name == name }) else { return }
    let targets = row.fields.values.flatMap(\.rows)
    guard targets.allSatisfy({ server.contains($0) && !overdue.contains($0) }) else { return }
    throw Violation(
      .stuck,
      "\(view.device) does not send \(name), in the state \(entry.state), and all records are there "
        + "to which it points")
  }

  /// Deleted records stay deleted where deletes win.
  func checkResurrections(_ server: Set<String>) throws(Violation) {
    guard !world.settings.editWins, !hasGoneBack else { return }
    let returned = history.removed.intersection(server).filter {
      deleted[$0] != nil && !isUndecidable($0) && !isDisputed($0) && !revived.contains($0)
    }
    if let name = returned.min() {
      throw Violation(.resurrection, "\(name) was deleted, and is on the server again")
    }
  }

  /// The server has each record in the end whose delete an app took back, unless another writer deleted it, or a change
  /// of it waits.
  func checkRevived(_ server: Set<String>, waiting: Set<String>) throws(Violation) {
    // Documented: copies of a store are not known to each other. A trigger may remove the row that came back.
    guard !hasGoneBack, world.settings.trigger == nil else { return }
    let lost = revived.subtracting(server).subtracting(waiting).filter { row in
      // Documented: nobody watches a delete that arrives once more after its answer.
      deleted[row]?.isEmpty != false && !overdue.contains(row) && !unwatched.contains(row)
        && !rights.wasDenied(row) && !rights.wasUnreadable(row)
    }
    if let name = lost.min() {
      throw Violation(.takenBack, "\(name) came back by an undo, and the server does not have it")
    }
  }

  /// Whether nobody can tell a create of the row from a new record.
  ///
  /// Documented: a create arrives again after the delete, or its device never learns that it arrived, and
  /// another client deletes the record. A device watches the create of a row that its own app deletes.
  private func isUndecidable(_ name: String) -> Bool {
    if overdue.contains(name) { return true }
    return unanswered.contains(name) && wasDeletedByOthers(name)
  }

  private func wasDeletedByOthers(_ name: String) -> Bool {
    (deleted[name] ?? []).contains { $0 != creators[name] }
  }
}

// The changes that wait for the app.
extension Oracle {
  private func waitsForApp(_ entry: OutboxEntry, _ view: DeviceView) -> Bool {
    entry.isParentGone || waitsForRefused(entry, view)
  }

  /// A change that was refused, or one that waits for the record of a change that waits for the app.
  private func waitsForRefused(
    _ entry: OutboxEntry, _ view: DeviceView, after earlier: [OutboxEntry] = []
  ) -> Bool {
    if wasRefused(entry, view.name(of: entry, identities), view) { return true }
    guard case .blocked(.record(let waiting)) = entry.state else { return false }
    return view.pending.contains { other in
      other.className == waiting.className && other.localID == waiting.localID
        && !earlier.contains(other)
        && (other.isParentGone || waitsForRefused(other, view, after: earlier + [entry]))
    }
  }

  /// Documented: a change that the server refused stays with the reason until the app edits the row again.
  private func wasRefused(_ entry: OutboxEntry, _ name: String, _ view: DeviceView) -> Bool {
    guard case .parked(let refusal) = entry.state,
      // The rights of which of two records are meant is not known.
      rights.mayBeRefused(name, to: view.owner, on: view.number) || isDisputed(name)
    else { return false }
    return [.noPermission, .refused].contains(refusal.reason)
  }
}

extension OutboxEntry {
  fileprivate var waitsForReadable: Bool {
    switch state {
    case .blocked(.quarantine), .blocked(.newerVersion), .inDoubt: true
    default: false
    }
  }

  /// Documented: a row that points to a row deleted before it was sent waits for the app.
  fileprivate var isParentGone: Bool {
    if case .parked(let refusal) = state { refusal.reason == .parentGone } else { false }
  }
}

extension WorldClass {
  /// The rows that no device can read.
  func unreadable(_ rows: [String: [String: Content]]) -> Set<String> {
    Set(rows.filter { !canRead($0.value) }.keys)
  }

  /// Those of them for which devices ask: the filter keeps them.
  func unreadableAndKept(_ rows: [String: [String: Content]]) -> Set<String> {
    unreadable(rows.filter { keeps($0.value) })
  }
}
