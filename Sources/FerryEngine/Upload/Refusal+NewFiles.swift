// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

extension Refusal {
  private static let fate =
    "The record is kept here and not sent. Give the field another file, or clear it"

  static func malformedNewFile(_ file: File) -> Refusal {
    Refusal(
      reason: .unserializable,
      message:
        "A field holds the file name \(file.shownName.debugDescription), which is not of the form for a new file: "
        + "unsent:SHA-256:BYTES:TYPE:NAME. \(fate).")
  }

  static func tooLargeToSend(_ file: UnsentFile, limit: Int) -> Refusal {
    Refusal(
      reason: .unserializable,
      message:
        "The new file \(file.name) has \(file.bytes) bytes, and a sync sends at most \(limit) bytes. No byte of it left. "
        + "\(fate). If the server takes larger files, raise the limit (SyncOptions.largestUpload, or --max-upload) and retry the change."
    )
  }

  static func contentGone(_ file: UnsentFile) -> Refusal {
    Refusal(
      reason: .unserializable,
      message:
        "The content of the new file \(file.name) is not on this device, or is not what the app gave. The server has not "
        + "got it. \(fate).")
  }

  static func refusedFile(_ file: UnsentFile, _ error: ParseError) -> Refusal {
    Refusal(
      reason: .refused, code: error.code?.rawValue,
      message:
        "The server does not take the new file \(file.name), \(file.bytes) bytes. \(error.happeningInFull) "
        + "\(fate). If the server takes it from now on, retry the change.")
  }
}
