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
/// it out of backups that others can read, and never beside sources. Any thread may use it, and several processes; a
/// file with `.lock` at its end keeps their changes apart.
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
    guard lstat(path, &status) == 0 else {
      guard [ENOENT, ENOTDIR].contains(errno) else {
        throw unreadable(PrivateFile.SystemError(number: errno).description)
      }
      return Credentials()
    }
    // A link may lead to a disk that is missing now, and then nobody would be logged in.
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("It is no plain file") }
    guard status.st_mode & 0o077 == 0 else {
      throw CredentialFileError(
        .exposed,
        "Other users of this machine can read the credentials in \(path). Nothing was used of them. "
          + "Close the file with chmod 600, or log in again after you have removed it.")
    }
    guard status.st_size <= Self.mostBytes else { throw unreadable("It is too long") }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: file)
    } catch {
      throw unreadable(error.localizedDescription)
    }
    guard let credentials = Credentials(json: bytes) else {
      throw CredentialFileError(
        .damaged,
        "The file \(path) contains no credentials. It was left as it is. Remove it, and log in again."
      )
    }
    return credentials
  }

  /// Changes the file as a whole, or leaves the earlier one; it writes nothing if `body` changes nothing.
  ///
  /// - Parameter body: Changes the credentials.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `CredentialFileError`.
  public func change<Result>(_ body: (inout Credentials) throws -> Result) throws -> Result {
    do {
      // Where it cannot be made, opening the file says why.
      try? FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      return try PrivateFile.locked(path) {
        let earlier = try read()
        var credentials = earlier
        let result = try body(&credentials)
        guard credentials != earlier else { return result }
        let json = credentials.json
        guard json.count <= Self.mostBytes else { throw unwritable("They are too long") }
        try PrivateFile.write(json, to: path)
        return result
      }
    } catch let error as PrivateFile.SystemError {
      throw unwritable(error.description)
    }
  }

  private static let mostBytes = 1 << 16

  private var path: String { file.path(percentEncoded: false) }

  private func unreadable(_ reason: String) -> CredentialFileError {
    CredentialFileError(
      .unreadable,
      "The file of the credentials, \(path), cannot be read: \(reason). It was left as it is. Make sure that it belongs "
        + "to you, or log in again after you have removed it.")
  }

  private func unwritable(_ reason: String) -> CredentialFileError {
    CredentialFileError(
      .unwritable,
      "The credentials cannot be written to \(path): \(reason). The file was left as it is. Make sure that its folder "
        + "belongs to you and the disk is not full.")
  }
}
