// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Learns from one create whether the server stores records under minted ids.
///
/// A server that does not accept them answers with code 105, as it does for other invalid names. So
/// the same create is sent again without the id. If the server accepts it then, the id was the
/// reason.
struct CustomIDProbe {
  let context: StageContext

  /// Sends a create for the first time.
  func send(
    _ write: UploadPlanner.Write, _ progress: inout UploadProgress
  ) throws(SyncError) -> UploadRemainder {
    // A create under its key left only because the server had refused the id. Another one under the id would be looked
    // up by that, and a late record of the first one would stay unknown.
    try assume(!isUnderKey(write.key))
    var remainder = try uploader().send([write], &progress)
    if !remainder.refusedIDs.isEmpty {
      try assume(false)
      remainder = try uploader().send([write], &progress)
    }
    // The assumption is confirmed only if the server accepted the record.
    let entry = try context.read { reader throws(StoreError) in
      try reader.entries([write.key])[write.key]
    }
    if entry?.kind == .create { try assume(nil) }
    return remainder
  }

  /// Whether an earlier create of the entry may still make a record under its key.
  private func isUnderKey(_ key: RecordKey) throws(SyncError) -> Bool {
    try context.read { reader throws(StoreError) in
      let entry = try reader.entries([key])[key]
      return entry?.clientKey != nil && entry?.attempts.contains { $0.kind == .create } == true
    }
  }

  private func uploader() -> Uploader {
    Uploader(.postCreated, in: context, usesBatches: false)
  }

  private func assume(_ allows: Bool?) throws(SyncError) {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.capabilities) { $0.allowsCustomIDs = allows }
    }
  }
}
