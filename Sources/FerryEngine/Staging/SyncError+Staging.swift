// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

extension SyncError {
  /// The staging area cannot be used: what was tried, on which file or folder, and what stood in the way.
  static func staging(_ verb: String, _ url: URL, cause: any Error) -> SyncError {
    let code = (cause as? POSIXError)?.code
    let reason =
      code.map { String(cString: strerror($0.rawValue)) } ?? (cause as NSError).localizedDescription
    let remedy =
      code == .ENOSPC || code == .EDQUOT
      ? "Make room on the disk" : "Make sure that the folder belongs to you and may be written to"
    return SyncError(
      .localStorage,
      "Ferry could not \(verb) \(url.path(percentEncoded: false)): \(reason). No row was changed by "
        + "it, and what was staged before is kept. \(remedy), then sync again.",
      cause: cause)
  }
}

/// A staged page is not what was written: its listing has to be discarded and downloaded again.
package struct StagedPageDamage: Error, CustomStringConvertible {
  /// The page's file.
  package var file: URL

  /// What happened, what became of the data, and what to do next.
  package var description: String {
    "The staged page \(file.path(percentEncoded: false)) is not what was downloaded. Nothing of it was "
      + "imported. The class is downloaded again by the next sync; check the disk if this comes back."
  }
}
