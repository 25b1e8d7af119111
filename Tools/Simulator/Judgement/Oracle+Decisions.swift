// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// The edits by which an app takes edits back.
extension Oracle {
  /// The app of a device took edits back, which led from some rows to others.
  ///
  /// These are edits like others. A row that comes back was deleted by nobody, as far as that app goes.
  func tookBack(from former: DeviceRows, to later: DeviceRows, on device: Int) {
    for (edit, previous) in former.edits(to: later) + former.edits(toTwinsIn: later) {
      let creator = creators[edit.row]
      made(edit, by: .app(device), over: previous)
      replacements.tookBack(edit, on: device)
      forgetEmptied(edit, on: device)
      guard edit.isInsert else { continue }
      revive(edit.row, on: device, createdBy: creator)
    }
  }

  /// The app of a device discarded edits of lists.
  ///
  /// Where a program had left the column out, the row had no list before, and has the open one then. To the rules both are
  /// none, so that no row shows the edit.
  func discardedLists(
    of records: [Pointer], from former: DeviceRows, to later: DeviceRows, on device: Int
  ) {
    for record in records {
      guard let old = former.rows[record], let new = later.rows[record],
        old.fields[Fields.accessList] == nil, new.fields[Fields.accessList] == nil,
        let list = open[device][RowField(row: new.name, field: Fields.accessList)]
      else { continue }
      made(
        .set(new.name, [Fields.accessList: .empty]), by: .app(device),
        over: [Fields.accessList: list])
    }
  }

  /// An undo changes what it says, and no more.
  func checkUndo(
    _ result: UndoResult, from former: DeviceRows, to later: DeviceRows, on letter: String
  ) throws(Violation) {
    for edit in result.undone where edit.kind != .delete {
      let row = former.rows[edit.place]
      let (before, after) = (classes.judged(edit.before), classes.judged(edit.after))
      for field in edit.kind == .update ? before.names : after.names {
        let left = after.values[field].map {
          Content($0, name: identities.name)
        }
        guard left != row?.fields[field] ?? .empty else { continue }
        throw Violation(
          .takenBack,
          "an undo of \(letter) took \(row?.name ?? "a row").\(field) back, which its transaction had not left so"
        )
      }
    }
    // The store sets the versions of rows right that come back, and such a trigger takes that for a sync.
    guard world.settings.trigger?.work != .removesOthers else { return }
    let expected = former.undoing(result.undone, identities, classes, to: later)
    // A trigger of the app gives rows other local ids.
    let difference = expected.difference(
      from: later, comparesLocalIDs: world.settings.trigger == nil)
    if let difference {
      throw Violation(
        .takenBack, "an undo of \(letter) left \(difference) otherwise than its result says")
    }
  }

  /// A discard writes what the server had, and removes what it had not.
  func checkDiscard(
    from former: DeviceRows, to later: DeviceRows, on device: Int
  ) throws(Violation) {
    let letter = Writer.letter(of: device)
    // Documented: copies of a store are not known to each other.
    guard !hasGoneBack else { return }
    for (edit, _) in former.edits(to: later) {
      switch edit {
      case .insert(let row, _, let fields), .set(let row, let fields):
        // Documented: in a class that is never removed, the row of a record that is gone keeps its edits.
        let wasGone = history.removed.contains(row) || rights.everHidden.contains(row)
        if wasGone, world.isNeverRemoved(rights.classes[row]) { continue }
        for (field, content) in fields.sorted(by: { $0.key < $1.key }) where content != .empty {
          guard !history.held(content, in: RowField(row: row, field: field)) else { continue }
          throw Violation(
            .takenBack,
            "a discard of \(letter) wrote \(content.text) into \(row).\(field), which the server never had"
          )
        }
      case .delete(let row):
        guard history.isThere(row), !history.removed.contains(row), !overdue.contains(row),
          !unanswered.contains(row), !rights.everHidden.contains(row),
          // A sync evicts such a row, also while the app deletes it and takes that back.
          !history.everOutside.contains(row),
          // Documented: an undo makes a new row of a record whose row was evicted, and a discard takes it out again.
          !demand.hasEvicted(row, on: device)
        else { continue }
        throw Violation(.takenBack, "a discard of \(letter) removed \(row), which the server has")
      case .allow: break
      }
    }
  }

  /// Whether an update only writes pointers to the same rows under the ids that their records have now.
  ///
  /// Documented: the device that creates a record again rewrites pointers to it. No edit of the app is in such an update.
  func renewsPointers(_ entry: OutboxEntry, in view: DeviceView) -> Bool {
    let row = view.rows.first { $0.className == entry.className && $0.localID == entry.localID }
    guard let row, entry.kind == .update, !entry.changed.isEmpty else { return false }
    return entry.changed.allSatisfy { field in
      guard case .pointer(let former) = entry.base[field] else { return false }
      return row.fields[field] == Content(.pointer(former), name: identities.name)
    }
  }
}
