// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry restore`: writes the lost values of a conflict record as a new local edit.
struct RestoreCommand {
  var session: Session

  func run() throws -> ExitCode {
    let text = session.command.operand ?? ""
    guard let number = Int64(text), number > 0 else {
      throw UsageError(
        "ferry restore takes the number of a conflict record, not \(text.quoted). ferry conflicts "
          + "lists the numbers.")
    }
    let configuration = try session.configuration()
    guard try session.existingStore(configuration) != nil else { throw unknown(number) }
    let store = try session.writableStore(configuration, in: session.workspace)
    let restoration = try store.write { try restore(number, in: $0) }
    session.console.message(restoration.json)
    session.console.result(restoration.lines.joined(separator: "\n"))
    return restoration.leftOut.isEmpty ? .success : .partial
  }

  private func restore(
    _ number: Int64, in transaction: any StoreTransaction
  ) throws -> Restoration {
    guard let conflict = try transaction.conflict(number) else { throw unknown(number) }
    guard !conflict.isRestored else {
      throw UsageError(
        "The conflict record \(number) was restored before. Nothing was changed. To change the values "
          + "again, edit the row.")
    }
    let className = conflict.record.className
    guard let entity = transaction.schema.entity(className) else {
      throw Failure(
        .configuration, StoreError.Code.unknownClass.rawValue,
        "ferry.json does not name the class \(className) of the conflict record \(number). Nothing was "
          + "changed. Add the class to ferry.json, and restore the conflict record then.")
    }
    let row = try transaction.record(of: className, localID: conflict.record.localID)
    let written = conflict.restorableFields(of: entity)
    return Restoration(
      conflict: conflict, written: written, row: try transaction.restore(conflict: number),
      isNewRow: row == nil,
      isEdit: row.map { !$0.fields.only(Set(written.names)).difference(from: written).isEmpty }
        ?? true)
  }

  private func unknown(_ number: Int64) -> UsageError {
    UsageError(
      "There is no conflict record \(number). Nothing was changed. ferry conflicts lists the numbers."
    )
  }
}
