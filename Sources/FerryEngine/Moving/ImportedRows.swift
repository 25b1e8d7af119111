// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

/// Writes new objects and unsent edits of one class as edits of the app, and counts them.
///
/// A note beside each edit says that it was taken over, and which of its fields are still to come: a schema may declare
/// them later.
struct ImportedRows {
  let entity: Entity
  private(set) var report: ObjectImportReport
  /// The rows of new objects.
  private(set) var inserted: [LocalID] = []
  /// The rows that edits may concern, by the ids of their objects.
  private var rows: [String: Record] = [:]
  /// Those of them that had unsent edits before.
  private var unsent: Set<LocalID> = []

  init(entity: Entity, report: ObjectImportReport) {
    self.entity = entity
    self.report = report
  }

  /// Makes a row of a new object, unless there was one before.
  mutating func insert(
    _ object: ImportedObject, into transaction: any CapturedTransaction
  ) throws(StoreError) {
    guard let key = object.key, let id = object.mintedID else {
      return leaveOut(object, .noIdentity)
    }
    guard !object.content.isDeleted else { return leaveOut(object, .neverSaved) }
    guard try !isKnown(key, id, in: transaction) else {
      return report.count(\.present, of: entity.name)
    }
    let edits = object.content.edits
    let fields = EditedFields(edits, of: Fields(), in: entity)
    var row: LocalID?
    let refusal = try refusal(in: transaction) { () throws(StoreError) in
      row = try transaction.insert(
        entity.name, fields.values, objectID: id, accessList: fields.accessList ?? .null
      ).localID
      try transaction.noteImported(key)
      let later = Set(fields.refusals.map(\.field) + fields.members.map(\.field))
      for edit in edits { try note(edit, leaving: later, in: transaction) }
    }
    if let refusal { return leaveOut(object, .refused, refusal.message) }
    if let row { inserted.append(row) }
    // The edits that are left are tried again with all others, and reported then.
    report.count(\.inserted, of: entity.name)
  }

  /// Carries edits and deletes of objects out that no import has carried out before.
  mutating func edit(
    _ objects: [ImportedObject], in transaction: any CapturedTransaction
  ) throws(StoreError) {
    try lookUp(objects, in: transaction)
    for object in objects { try edit(object, in: transaction) }
  }

  /// Finds the rows of objects; to ask which of them are unsent takes the time of reading all new edits.
  private mutating func lookUp(
    _ objects: [ImportedObject], in transaction: any CapturedTransaction
  ) throws(StoreError) {
    let ids = objects.compactMap { $0.content.objectID ?? $0.mintedID }
    let aliases = try transaction.aliases(of: ids)
    let present = try transaction.records(
      of: entity.name, objectIDs: Set(ids.map { aliases[$0] ?? $0 }).sorted())
    let byID = Dictionary(present.map { ($0.objectID, $0) }) { first, _ in first }
    for id in ids { rows[id] = byID[aliases[id] ?? id] }
    let states = try transaction.unsentStates(of: entity.name, localIDs: present.map(\.localID))
    unsent = Set(states.keys)
  }

  /// Carries the edits of an object out that no import has carried out before.
  private mutating func edit(
    _ object: ImportedObject, in transaction: any CapturedTransaction
  ) throws(StoreError) {
    guard let id = object.content.objectID ?? object.mintedID else { return }
    if object.content.isDeleted {
      if object.content.objectID != nil { try delete(object, id, in: transaction) }
      return
    }
    let edits = try pending(object.content.edits, in: transaction)
    guard !edits.isEmpty else { return }
    guard let row = rows[id] else { return leaveOut(object, .noRow) }
    let fields = EditedFields(edits, of: row.fields, in: entity)
    let isFilled = fills(fields, of: object, row)
    let isUnsent = unsent.contains(row.localID)
    if !fields.isEmpty, isUnsent, !isFilled { return leaveOut(object, .editedHere) }
    var refusals = fields.refusals
    var changes = false
    let refusal = try refusal(in: transaction) { () throws(StoreError) in
      (refusals, changes) = (fields.refusals, !fields.isEmpty)
      if changes {
        try transaction.update(
          entity.name, row.localID, fields.values, accessList: fields.accessList)
      }
      for member in fields.members {
        switch try change(member, of: row.reference, in: transaction) {
        case .success(let isNew): changes = changes || isNew
        case .failure(let refusal): refusals.append(refusal.value)
        }
      }
      let later = Set(refusals.map(\.field))
      for edit in edits { try note(edit, leaving: later, in: transaction) }
    }
    if let refusal { return leaveOut(object, .refused, refusal.message) }
    // Filling a new row is a part of its insert.
    if changes, !isFilled || !isUnsent { report.count(\.edited, of: entity.name) }
    leaveOut(refusals, of: object)
  }

  /// Whether edits only fill what the insert of a new object has left empty, as pointers to rows that came later.
  private func fills(_ fields: EditedFields, of object: ImportedObject, _ row: Record) -> Bool {
    object.content.objectID == nil && !fields.isEmpty && fields.accessList == nil
      && fields.values.names.allSatisfy { row[$0].isNull }
  }

  private mutating func delete(
    _ object: ImportedObject, _ id: String, in transaction: any CapturedTransaction
  ) throws(StoreError) {
    let key = "delete/\(entity.name)/\(id)"
    guard try transaction.state(.imported(key)) == nil, let row = rows[id] else { return }
    guard !unsent.contains(row.localID) else { return leaveOut(object, .editedHere) }
    let refusal = try refusal(in: transaction) { () throws(StoreError) in
      try transaction.delete(entity.name, row.localID)
      try transaction.noteImported(key)
    }
    if let refusal { return leaveOut(object, .refused, refusal.message) }
    report.count(\.deleted, of: entity.name)
  }

  // MARK: - Parts

  /// Edits without what an import has taken over before.
  private func pending(
    _ edits: [LocalEdit], in transaction: any CapturedTransaction
  ) throws(StoreError) -> [LocalEdit] {
    var pending: [LocalEdit] = []
    for edit in edits {
      var edit = edit
      if let left = try transaction.state(.imported(edit.id)) {
        edit.changes = edit.changes.filter { left.contains($0.key) }
      }
      if !edit.changes.isEmpty { pending.append(edit) }
    }
    return pending
  }

  private func note(
    _ edit: LocalEdit, leaving fields: Set<String>, in transaction: any CapturedTransaction
  ) throws(StoreError) {
    try transaction.noteImported(
      edit.id, leaving: edit.changes.keys.filter(fields.contains).sorted())
  }

  /// Whether the store has, or had, the row of a new object.
  private func isKnown(
    _ key: String, _ id: String, in transaction: any CapturedTransaction
  ) throws(StoreError) -> Bool {
    if try transaction.state(.imported(key)) != nil { return true }
    let present = try transaction.aliases(of: [id])[id] ?? id
    if try transaction.record(of: entity.name, objectID: present) != nil { return true }
    return try !transaction.formerIDs(of: entity.name, among: [id]).isEmpty
  }

  /// A refusal as an error, for a result.
  private struct Refused: Error {
    var value: EditedFields.Refusal
  }

  /// Adds a member to a relation, or removes it; the result says whether that changed something.
  private func change(
    _ member: EditedFields.Member, of owner: RecordReference,
    in transaction: any CapturedTransaction
  ) throws(StoreError) -> Result<Bool, Refused> {
    func refused(_ reason: ObjectLeftOut.Reason) -> Result<Bool, Refused> {
      .failure(Refused(value: .init(field: member.field, reason: reason)))
    }
    let hasClass = transaction.schema.entities.contains {
      $0.membership?.ownerClass == entity.name && $0.membership?.field == member.field
    }
    guard hasClass else { return refused(.relation) }
    let target = member.record
    guard transaction.schema.entity(target.className) != nil,
      let row = try transaction.record(of: target.className, objectID: target.objectID)
    else { return refused(.noRow) }
    return .success(
      member.isAdded
        ? try transaction.add(row.reference, to: member.field, of: owner)
        : try transaction.remove(row.reference, from: member.field, of: owner))
  }

  /// Writes what belongs to one object; the error of a rule of the table that refused it, which took all of it back.
  private func refusal(
    in transaction: any CapturedTransaction, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) -> StoreError? {
    do throws(StoreError) {
      try transaction.attempt(body)
      return nil
    } catch {
      guard error.refusal == .row else { throw error }
      return error
    }
  }

  private mutating func leaveOut(
    _ object: ImportedObject, _ reason: ObjectLeftOut.Reason, _ detail: String? = nil
  ) {
    report.leaveOut(
      ObjectLeftOut(
        className: entity.name, reason: reason, example: object.name, detail: detail))
  }

  private mutating func leaveOut(_ refusals: [EditedFields.Refusal], of object: ImportedObject) {
    for refusal in refusals {
      report.leaveOut(
        ObjectLeftOut(
          className: entity.name, field: refusal.field, reason: refusal.reason,
          example: object.name, detail: refusal.detail))
    }
  }
}
