// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

// A transaction is taken back by ordinary edits. So the next sync sends them, and whatever a sync does meanwhile cannot
// harm them.
extension CapturedTransaction {
  package func undo(_ transaction: HistoryTransaction) throws(StoreError) -> UndoResult {
    let note = try self.note(of: transaction)
    let past = try self.edits(of: transaction)
    var rows = try presentRows(of: past)
    let edits = try presentlyNamed(past, &rows)
    var result = UndoResult(token: transaction.token, undone: [], kept: [])
    var plans: [UndoPlan] = []
    for edit in edits {
      let className = edit.record.className
      let plan = UndoPlan(
        edit, row: rows[edit.key], in: try schema.registered(className),
        isBeingCreated: try isBeingCreated(rows[edit.key], editedBy: edit),
        isWhollyDeclared: try !hasUndeclaredFields(in: className))
      result.kept += plan.kept
      plans.append(plan)
    }
    let replacements = plans.replacements
    // A row that comes back may need what a new row or an edit holds now, such as a unique value. So the order is
    // that of the changes, backwards.
    plans.sort { $0.lastChange > $1.lastChange }
    for stepOfEdit in ReversingEdit.Step.allCases {
      for plan in plans where plan.reversal.step == stepOfEdit {
        guard let undone = plan.undone else { continue }
        let replacement = replacements[undone.record.pointer]
        let reversal = try withPresentList(
          plan.reversal, of: undone.record, instead: replacement, of: rows)
        if try perform(reversal, on: undone.record) {
          result.undone.append(undone)
        } else {
          result.kept.append(UndoResult.KeptEdit(edit: undone, reason: .changedSince))
        }
      }
    }
    step = note?.step == .undo ? .redo : .undo
    // A transaction without a visible change is that of a program which declares more.
    if let note, try !self.transaction(note).changes.isEmpty { try setUndone(note) }
    return result
  }

  /// A reversal that inserts a row again, with the list that its record has now.
  ///
  /// Another client may have changed the list since, and the list of history would count as an edit. The replacement is the row
  /// of the record that the transaction inserted, and that leaves now.
  private func withPresentList(
    _ reversal: ReversingEdit, of record: RecordReference, instead replacement: RecordEdit?,
    of rows: [RecordKey: Record]
  ) throws(StoreError) -> ReversingEdit {
    guard case .insert(let fields, let acl) = reversal else { return reversal }
    if let replacement, let row = rows[replacement.key] {
      let hasOwnList = replacement.hasList(otherThan: acl) && replacement.hasList(of: row)
      return hasOwnList ? reversal : .insert(fields, acl: row.acl)
    }
    let key = RecordKey(className: record.className, localID: record.localID)
    guard !acl.isNull, let entry = try pendingEntry(of: key), entry.kind == .delete,
      entry.objectID == record.objectID
    else { return reversal }
    return .insert(fields, acl: entry.withdrawn[Fields.accessList] ?? entry.acl)
  }

  /// Whether a create of the row has left, whose answer gives it a list; it matters for an edit of the list alone.
  private func isBeingCreated(
    _ row: Record?, editedBy edit: RecordEdit
  ) throws(StoreError) -> Bool {
    guard edit.before.values[Fields.accessList] != nil, let row, row.createdAt == nil,
      let entry = try pendingEntry(of: row.key)
    else { return false }
    return !entry.attempts.isEmpty
  }

  /// - Throws: `cannotUndo` for a transaction that is nobody's to undo.
  private func note(of transaction: HistoryTransaction) throws(StoreError) -> TransactionNote? {
    let before = HistoryToken(rawValue: transaction.token.rawValue - 1)
    let next = try transactionNotes(after: before, limit: 1).first
    guard let note = next, note.tokens.upperBound == transaction.token else { return nil }
    guard note.author == .app else { throw .madeBySync(transaction.token) }
    guard !note.isUndone else { throw .undoneBefore(transaction.token) }
    return note
  }

  /// The edits with the ids that the server has given to records since; the pointers of the rows get them, too.
  ///
  /// A row may still have the id of an edit, though another record has succeeded the one of that id.
  private func presentlyNamed(
    _ edits: [RecordEdit], _ rows: inout [RecordKey: Record]
  ) throws(StoreError) -> [RecordEdit] {
    var pointers = Set(
      edits.map(\.record.pointer))
    for value in edits.flatMap({ Array($0.before.values.values) + Array($0.after.values.values) }) {
      value.forEachPointer { pointers.insert($0) }
    }
    let aliases = try self.aliases(of: pointers)
    for key in rows.keys where !aliases.isEmpty {
      let fields = rows[key]?.fields.replacingPointers { aliases[$0] }
      if let fields { rows[key]?.fields = fields }
    }
    return edits.map { edit in
      var named = edit.named(by: aliases)
      if rows[edit.key]?.objectID == edit.record.objectID { named.record = edit.record }
      return named
    }
  }

  private func presentRows(of edits: [RecordEdit]) throws(StoreError) -> [RecordKey: Record] {
    var rows: [RecordKey: Record] = [:]
    for (className, edits) in Dictionary(grouping: edits, by: \.record.className) {
      for row in try records(of: className, localIDs: edits.map(\.record.localID)) {
        rows[row.key] = row
      }
    }
    return rows
  }
}

extension [UndoPlan] {
  /// The inserts that leave, by record: the transaction may have deleted another row of the record.
  fileprivate var replacements: [Pointer: RecordEdit] {
    var replacements: [Pointer: RecordEdit] = [:]
    for case let edit? in map(\.undone) where edit.kind == .insert {
      replacements[edit.record.pointer] = edit
    }
    return replacements
  }
}

extension RecordEdit {
  /// Whether an insert gave the row a list of its own.
  fileprivate func hasList(otherThan former: Value) -> Bool {
    !acl.isNull && acl.comparableAccessList != former.comparableAccessList
  }

  /// Whether a row has the list that its insert gave it.
  fileprivate func hasList(of row: Record) -> Bool {
    acl.comparableAccessList == row.acl.comparableAccessList
  }
}

extension StoreError {
  fileprivate static func madeBySync(_ token: HistoryToken) -> StoreError {
    StoreError(
      .cannotUndo,
      "The transaction \(token.rawValue) was made by a sync, so nothing was undone. Edit the rows instead."
    )
  }

  fileprivate static func undoneBefore(_ token: HistoryToken) -> StoreError {
    StoreError(
      .cannotUndo,
      "The transaction \(token.rawValue) was undone before, so nothing was changed. Redo it by an undo of the "
        + "transaction that undid it.")
  }
}
