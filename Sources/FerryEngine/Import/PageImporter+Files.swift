// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

extension PageImporter {
  /// Puts the server's file into each row that has a new file with the same content.
  ///
  /// The store may have sent it, and then gone back to a backup. Nobody changed the field then, so it is in no conflict, and
  /// the content need not go again.
  ///
  /// - Returns: Whether a row got one.
  func nameFiles(
    in situation: ImportSituation, _ transaction: any SyncTransaction
  ) throws(StoreError) -> Bool {
    let fields = planner.entity.fields.filter { $0.type == .file }.map(\.name)
    guard let contents, !fields.isEmpty else { return false }
    var isNamed = false
    for record in situation.records {
      guard let row = situation.rows[record.objectID] else { continue }
      for field in fields {
        // Hardly any row has a new file, so the record is looked into last.
        guard case .file(let new) = row[field], let unsent = new.unsent,
          case .file(let file)? = record.contents(of: planner.entity)[field], !file.isUnsent,
          contents.sum(file) == unsent.sha256
        else { continue }
        try transaction.set([field: .file(file)], of: className, localID: row.localID)
        try transaction.change(.sentFiles) {
          $0.succeed(new, as: file, on: contents.server, isNamed: true, at: planner.now)
        }
        if var entry = try transaction.entries([row.key])[row.key] {
          entry.fileArrived()
          try transaction.put(entry)
        }
        isNamed = true
      }
    }
    return isNamed
  }
}
