// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension SyncError {
  /// The staging area cannot be used: the action, its file or folder, and the reason.
  static func staging(_ verb: String, _ url: URL, cause: any Error) -> SyncError {
    let code = (cause as? POSIXError)?.code
    let reason =
      code.map { String(cString: strerror($0.rawValue)) } ?? (cause as NSError).localizedDescription
    let isFull = code == .ENOSPC || code == .EDQUOT
    let remedy =
      switch code {
      case .ENOSPC, .EDQUOT: "Make room on the disk"
      case .ENOTDIR: "Make sure that a folder is there, and no link to one"
      default: "Make sure that the folder belongs to you and may be written to"
      }
    return SyncError(
      isFull ? .diskFull : .localStorage,
      "Ferry could not \(verb) \(url.path(percentEncoded: false)): \(reason). No row was changed by "
        + "it, and what was staged before is kept. \(remedy), then sync again.",
      cause: cause)
  }
}
