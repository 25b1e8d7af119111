// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Why the content of a file is not here, or was not taken for a field.
///
/// No wrong content becomes a file, and the rows are as they were. The message says what happened, what became of
/// the bytes that had come, and what to do next.
public struct FileError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind in words joined by hyphens.
    public let rawValue: String

    /// Makes a code from its words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server has no file of this name.
    public static let notFound = Self(rawValue: "file-not-found")
    /// The file needs a login, or the session has ended.
    public static let loginNeeded = Self(rawValue: "login-needed")
    /// This user, or this app, may not read the file.
    public static let forbidden = Self(rawValue: "file-forbidden")
    /// The server cannot be reached.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The server answered too slowly, failed, or broke off too often.
    public static let tryAgain = Self(rawValue: "try-again")
    /// The answer is not this file, such as the page of a proxy.
    public static let notTheFile = Self(rawValue: "not-the-file")
    /// The file is larger than `SyncOptions.largestFile`, or a new one is larger than `SyncOptions.largestUpload`.
    public static let tooLarge = Self(rawValue: "file-too-large")
    /// The file has no address that a request can be sent to.
    public static let noAddress = Self(rawValue: "no-file-address")
    /// The files that are here take nine tenths of `SyncOptions.filesLimit`, so Ferry fetches none ahead of its use.
    public static let noRoom = Self(rawValue: "no-room-for-files")
    /// A new file has no byte; Parse Server takes no such file.
    public static let empty = Self(rawValue: "file-empty")
    /// The text is no media type, such as `image/jpeg`.
    public static let unusableType = Self(rawValue: "unusable-type")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "disk-full")
    /// The folder of the files cannot be read or written.
    public static let localStorage = Self(rawValue: "local-storage")
    /// The app gave no session token in time, or could not.
    public static let sessionUnavailable = Self(rawValue: "session-unavailable")
    /// The app cancelled the request for the file.
    public static let cancelled = Self(rawValue: "cancelled")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, what became of the data, and what to do next.
  public var message: String
  /// How long the server asked to wait before the next request; nil if it did not say.
  public var retryAfter: Duration?
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  /// An error with a message.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}

extension FileError {
  /// A failure of the disk or of the folder.
  static func disk(_ verb: String, _ path: String, _ number: Int32 = errno) -> FileError {
    let cause = POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
    guard ![ENOSPC, EDQUOT].contains(number) else {
      return FileError(
        .diskFull,
        "The disk is full, so Ferry could not \(verb) \(path). The part of the file that had come was removed, and the "
          + "rows are as they were. Make room, and ask again.", cause: cause)
    }
    return FileError(
      .localStorage,
      "Ferry could not \(verb) \(path): \(String(cString: strerror(number))). The rows are as they were. Make sure that "
        + "the folder belongs to you and may be written to, and ask again.", cause: cause)
  }

  /// A failure of an operation that the staging area has, too.
  init(_ error: SyncError, _ verb: String, _ url: URL) {
    let number = (error.cause as? POSIXError)?.code.rawValue ?? EIO
    self = .disk(verb, url.path(percentEncoded: false), number)
  }

  static let noRoom = FileError(
    .noRoom,
    "The files on this device take nearly all the room that the option filesLimit gives them, so Ferry did not fetch this one "
      + "ahead of its use. The app can still fetch it. Raise the limit, or prune the files.")

  static let cancelled = FileError(
    .cancelled,
    "The request for the file was cancelled. Ferry keeps what had come, as far as it can go on from there. Ask again "
      + "for the file.")
}
