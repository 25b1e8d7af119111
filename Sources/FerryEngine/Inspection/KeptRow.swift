// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
import FerryStore

/// A row whose record is gone on the server, and that a rule of another program keeps in its table.
///
/// `StoreInspection.keptRows(of:)` lists them. Each sync tries again to remove the row.
public struct KeptRow: Sendable, Equatable {
  /// The row.
  public var row: RecordReference
  /// The rule, as the subject of a clause, such as: the trigger kept ("No game may go").
  public var rule: String
}

extension SyncReader {
  /// The rows of a class that rules of other programs keep, in the order of their local ids.
  func keptRows(of className: String) throws(StoreError) -> [KeptRow] {
    let rules = try state(.keptRows(className))
    guard !rules.isEmpty else { return [] }
    let rows = try versions(of: className, objectIDs: rules.keys.sorted()).values
    return rows.sorted { $0.localID < $1.localID }.map { row in
      KeptRow(
        row: RecordReference(
          className: className, localID: row.localID, objectID: row.objectID),
        rule: rules[row.objectID] ?? "")
    }
  }
}
