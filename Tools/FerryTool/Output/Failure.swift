// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The end of a failed command: its exit code, a stable name, and a sentence.
struct Failure: Error, Sendable, Equatable {
  var exitCode: ExitCode
  /// Says which error it was, in words joined by hyphens.
  var name: String
  /// What happened, what became of the data, and what to do next.
  var message: String

  init(_ exitCode: ExitCode, _ name: String, _ message: String) {
    self.exitCode = exitCode
    self.name = name
    self.message = message
  }

  /// The last line of a command's JSON.
  var json: JSONMessage {
    JSONMessage(
      "exit_error",
      [
        "code": .integer(Int64(exitCode.rawValue)), "name": .string(name),
        "message": .string(message),
      ])
  }

  /// Why a file could not be used, in the system's words.
  static func reason(of error: any Error) -> String {
    let error = error as NSError
    let below = error.userInfo[NSUnderlyingErrorKey] as? NSError
    for candidate in [below, error] {
      guard let candidate, candidate.domain == NSPOSIXErrorDomain else { continue }
      return String(cString: strerror(Int32(candidate.code)))
    }
    return switch CocoaError.Code(rawValue: error.code) {
    case .fileReadNoSuchFile, .fileNoSuchFile: String(cString: strerror(ENOENT))
    case .fileReadNoPermission, .fileWriteNoPermission: String(cString: strerror(EACCES))
    case .fileWriteOutOfSpace: String(cString: strerror(ENOSPC))
    case .fileWriteVolumeReadOnly: String(cString: strerror(EROFS))
    default: error.localizedDescription
    }
  }
}
