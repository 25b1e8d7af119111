// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry restore` and `ferry conflicts restore`: writes the lost values of a conflict record as a new local edit.
struct RestoreCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let number = try session.command.conflictNumber()
    let configuration = try session.configuration()
    guard session.hasStore else { throw .unknownConflict(number) }
    let restoration = try restore(
      number, in: session.writableStore(configuration, in: session.workspace)
    ).get()
    session.console.message(restoration.json)
    session.console.result(restoration.lines.joined(separator: "\n"))
    return restoration.leftOut.isEmpty ? .success : .partial
  }

  private func restore(
    _ number: Int64, in store: SQLiteStore
  ) throws(Failure) -> Result<Restoration, Failure> {
    do {
      return try store.write { transaction throws(StoreError) in
        try restore(number, in: transaction)
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Restores a conflict record that may be restored; otherwise nothing is written.
  private func restore(
    _ number: Int64, in transaction: any StoreTransaction
  ) throws(StoreError) -> Result<Restoration, Failure> {
    guard let conflict = try transaction.conflict(number) else {
      return .failure(.unknownConflict(number))
    }
    let className = conflict.record.className
    guard let entity = transaction.schema.entity(className) else {
      return .failure(
        Failure(
          .configuration, StoreError.Code.unknownClass.rawValue,
          "ferry.json does not name the class \(className) of the conflict record \(number). Nothing was "
            + "changed. Add the class to ferry.json, and restore the conflict record then."))
    }
    let row = try transaction.row(of: conflict)
    let written = conflict.restorableFields(of: entity)
    let differing = row.map { $0.fields.only(Set(written.names)).difference(from: written) } ?? []
    let replaced = differing.map { ($0, row?.fields[$0] ?? .null) }
    return .success(
      Restoration(
        conflict: conflict, written: written,
        replaced: Fields(Dictionary(replaced, uniquingKeysWith: { $1 })),
        leftOut: conflict.lost.names.filter {
          written[$0] == nil && $0 != conflict.deletionMark(of: entity)
        },
        row: try transaction.restore(conflict: number), isNewRow: row == nil))
  }
}
