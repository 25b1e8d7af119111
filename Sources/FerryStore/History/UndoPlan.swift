// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// How one edit is taken back: what of it, and what stays for which reason.
struct UndoPlan {
  var reversal = ReversingEdit.none
  var undone: RecordEdit?
  var kept: [UndoResult.KeptEdit] = []
  let lastChange: HistoryToken
  /// Whether the server gives the record a list, or has done so.
  private let hasServerList: Bool

  /// Only values that are still as the edit left them are taken back.
  ///
  /// - Parameters:
  ///   - edit: The edit, with present ids in its pointers.
  ///   - row: The row as it is now.
  ///   - entity: Its class.
  ///   - isBeingCreated: Whether a create of the row has left, and no answer has come.
  ///   - isWhollyDeclared: Whether this program declares all fields of the class.
  init(
    _ edit: RecordEdit, row: Record?, in entity: Entity, isBeingCreated: Bool,
    isWhollyDeclared: Bool
  ) {
    lastChange = edit.lastChange
    hasServerList = isBeingCreated || row?.createdAt != nil
    plan(edit, row, entity, isWhollyDeclared: isWhollyDeclared)
  }

  private mutating func plan(
    _ edit: RecordEdit, _ row: Record?, _ entity: Entity, isWhollyDeclared: Bool
  ) {
    switch edit.kind {
    case .insert:
      guard let row else { return keep(edit, .rowIsGone) }
      guard isWhollyDeclared else { return keep(edit, .needsOtherProgram) }
      let isAsLeft = edit.record.objectID == row.objectID && edit.isLeft(entity.valueNames, in: row)
      // A trigger may have put a row back that the app deleted, and history has both in another order.
      guard isAsLeft, !edit.hasReplacedRow else { return keep(edit, .changedSince) }
      (reversal, undone) = (.delete, edit)
    case .delete:
      guard row == nil else { return keep(edit, .rowIsBack) }
      guard isWhollyDeclared else { return keep(edit, .needsOtherProgram) }
      guard edit.isKnownBefore, entity.canHold(edit.before) else {
        return keep(edit, .valueNoLongerFits)
      }
      (reversal, undone) = (.insert(edit.before.filled(for: entity), acl: edit.acl), edit)
    case .update:
      guard let row, row.objectID == edit.record.objectID else { return keep(edit, .rowIsGone) }
      undoFields(of: edit, row, entity)
    }
  }

  private mutating func undoFields(of edit: RecordEdit, _ row: Record, _ entity: Entity) {
    let changed = edit.before.names.filter {
      // History does not tell the list that the server gives to a new record.
      let isUnknown = $0 == Fields.accessList && edit.before[$0] == .null && hasServerList
      return isUnknown || !edit.isLeft([$0], in: row)
    }
    let rest = edit.before.only(Set(edit.before.names).subtracting(changed))
    let unfit = rest.names.filter { name in !entity.canHold(rest.only([name])) }
    if !changed.isEmpty { keep(edit.only(changed), .changedSince) }
    if !unfit.isEmpty { keep(edit.only(unfit), .valueNoLongerFits) }
    let names = rest.names.filter { !unfit.contains($0) }
    guard !names.isEmpty else { return }
    (reversal, undone) = (.update(rest.only(Set(names))), edit.only(names))
  }

  private mutating func keep(_ edit: RecordEdit, _ reason: UndoResult.Reason) {
    kept.append(UndoResult.KeptEdit(edit: edit, reason: reason))
  }
}

extension RecordEdit {
  /// Whether history tells the record that was deleted.
  fileprivate var isKnownBefore: Bool { !record.objectID.isEmpty }

  /// Whether fields of the row are as the edit left them.
  fileprivate func isLeft(_ names: [String], in row: Record) -> Bool {
    let contents = row.contents
    return names.allSatisfy { after.values[$0] == (contents[$0] ?? .null) }
  }

  /// The edit of some fields.
  fileprivate func only(_ names: [String]) -> RecordEdit {
    var part = self
    (part.before, part.after) = (before.only(Set(names)), after.only(Set(names)))
    return part
  }

  /// The edit with the ids that the server has given since.
  func named(by aliases: [Pointer: String]) -> RecordEdit {
    guard !aliases.isEmpty else { return self }
    var named = self
    named.record.objectID = aliases[record.pointer] ?? record.objectID
    named.before = before.replacingPointers { aliases[$0] }
    named.after = after.replacingPointers { aliases[$0] }
    return named
  }
}

extension Entity {
  fileprivate func canHold(_ fields: Fields) -> Bool {
    fields.withoutAccessList.values.allSatisfy { name, value in
      field(name).map { value.reason(againstWritingTo: $0.type) == nil } ?? false
    }
  }
}
