// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Learns by one create whether the server stores records under ids made here.
///
/// A server that does not take them answers code 105, as it does for other names it dislikes. So
/// the same create goes again without the id: only if that is taken was it the id.
struct CustomIDProbe {
  let context: StageContext

  /// Sends a create that has not been sent before.
  func send(
    _ write: UploadPlanner.Write, _ progress: inout UploadProgress
  ) throws(SyncError) -> [WriteInDoubt] {
    try assume(true)
    var writesInDoubt = try uploader().send([write], &progress)
    if writesInDoubt.contains(where: \.isUnusableID) {
      try assume(false)
      writesInDoubt = try uploader().send([write], &progress)
    }
    // What was assumed is known only if the server took the record.
    let entry = try context.read { try $0.entries([write.key])[write.key] }
    if entry?.kind == .create { try assume(nil) }
    return writesInDoubt
  }

  private func uploader() -> Uploader {
    Uploader(.postCreated, in: context, usesBatches: false)
  }

  private func assume(_ allows: Bool?) throws(SyncError) {
    try context.write(.full) { transaction in
      try transaction.change(.capabilities) { $0.allowsCustomIDs = allows }
    }
  }
}
