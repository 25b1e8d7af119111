// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
public import Foundation

/// Credentials in a file that only its owner can read (mode 0600).
///
/// ```swift
/// let credentials = FileCredentialStore(at: folder.appending(path: "credentials.json"))
/// ```
///
/// The file is replaced as a whole: after a crash or a power failure it has the earlier credentials or the new ones. Keep
/// it out of backups that others can read, and never beside sources. Any thread may use it, and several processes.
public struct FileCredentialStore: CredentialStore {
  private let file: URL

  /// Names the file; it neither reads nor makes it.
  ///
  /// - Parameter file: The file, in a folder that exists.
  public init(at file: URL) { self.file = file }

  /// The credentials in the file; empty ones where there is no file.
  ///
  /// - Throws: `CredentialFileError`, also for a file that others can read: its secrets may be known to them.
  public func read() throws -> Credentials {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard [ENOENT, ENOTDIR].contains(errno) else { throw failure(.unreadable, "read") }
      return Credentials()
    }
    guard status.st_mode & 0o077 == 0 else {
      throw CredentialFileError(
        .exposed,
        "Other users of this machine can read the credentials in \(path). Nothing was used of them. "
          + "Close the file with chmod 600, or log in again after you have removed it.")
    }
    guard status.st_size <= Self.mostBytes, let bytes = FileManager.default.contents(atPath: path)
    else { throw failure(.unreadable, "read") }
    guard let credentials = Credentials(json: bytes) else {
      throw CredentialFileError(
        .damaged,
        "The file \(path) contains no credentials. It was left as it is. Remove it, and log in again."
      )
    }
    return credentials
  }

  /// Writes the file as a whole, or leaves the earlier one.
  ///
  /// - Throws: `CredentialFileError`.
  public func write(_ credentials: Credentials) throws {
    // Two processes write at once; each has a part of its own.
    let part = "\(path).\(UUID().uuidString).part"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(.unwritable, "write") }
    let isWritten =
      fchmod(descriptor, 0o600) == 0 && write(credentials.json, to: descriptor)
      && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    errno = reason
    guard isWritten, rename(part, path) == 0 else {
      let failure = failure(.unwritable, "write")
      unlink(part)
      throw failure
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static let mostBytes = 1 << 16

  private var path: String { file.path(percentEncoded: false) }

  /// A failure of the last call of the system.
  private func failure(_ code: CredentialFileError.Code, _ verb: String) -> CredentialFileError {
    CredentialFileError(
      code,
      "The file of the credentials, \(path), could not be \(verb == "read" ? "read" : "written"): "
        + "\(String(cString: strerror(errno))). It was left as it is. Make sure that it belongs to you and the disk is "
        + "not full.")
  }
}
