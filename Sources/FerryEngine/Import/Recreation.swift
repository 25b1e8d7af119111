// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Makes a row whose record is gone on the server one that is to be created there again.
///
/// Never an update, which the server would refuse for ever. Where the server takes ids of ours the
/// record keeps its id; elsewhere it gets a new one, the old one lives on as an alias, and pointers to
/// it are edits to be sent. The new id follows from the old one, so that devices which keep the same
/// record make one of it.
struct Recreation {
  let now: Timestamp

  func perform(_ row: Record, in transaction: any SyncTransaction) throws {
    var renewed = row
    let capabilities = try transaction.state(.capabilities)
    if capabilities.allowsCustomIDs != true {
      renewed.objectID = MintedID.following(row.objectID, of: row.className)
      try ObjectIDReplacement(row: row).perform(
        to: renewed.objectID, createdAt: now, in: transaction)
      if let current = try transaction.record(of: row.className, localID: row.localID) {
        renewed.fields = current.fields
      }
    }
    renewed.createdAt = nil
    renewed.version = nil
    try transaction.remove([row.localID], from: row.className)
    try transaction.reinstate(renewed)
    let entry = OutboxEntry(
      creating: renewed, foldedThrough: try transaction.foldedThrough())
    try transaction.put(entry)
    try transaction.recordConflict(
      ConflictRecord(
        time: now, record: row.reference, reason: .deletedRemotely, lost: row.fields,
        isWholeRecord: true))
  }
}

extension MintedID {
  /// The id for a record that is created anew, the same on every device.
  fileprivate static func following(_ objectID: String, of className: String) -> String {
    let text = "\(className)/\(objectID)"
    let digits = Checksum.text(of: text.utf8) + Checksum.text(of: "again/\(text)".utf8)
    return String(digits.prefix(length))
  }
}
