// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation

/// The files of a store, which only their owner can read, whatever the process's mask is.
///
/// Ferry creates the database file exclusively and with its mode before SQLite opens it. SQLite
/// gives the same mode to the files beside it. Ferry never opens and closes an existing database
/// file itself, because that would release the locks that this process has on it.
struct StoreFiles {
  /// The folder, without symbolic links.
  let folder: String
  let database: String
  /// Whether the store created the folder, so that it may set the folder's mode.
  let madeFolder: Bool
  var lock: String { database + "-lock" }

  private static let ownerOnly: mode_t = 0o600
  private static let ownerOnlyFolder: mode_t = 0o700

  /// Creates missing files and corrects modes that are too open.
  init(at url: URL) throws(StoreError) {
    let parent = try Self.parent(of: url)
    madeFolder = try Self.makeFolder(parent)
    folder = try Self.resolved(parent)
    database = folder + "/" + url.lastPathComponent
    try Self.makeFile(database)
    for suffix in ["", "-wal", "-shm", "-journal", "-lock"] { try Self.tighten(database + suffix) }
  }

  /// Names the files of a store that is there, and leaves them as they are.
  init(existing url: URL) throws(StoreError) {
    folder = try Self.resolved(try Self.parent(of: url))
    database = folder + "/" + url.lastPathComponent
    madeFolder = false
    guard access(database, R_OK) == 0 else { throw Self.failure("open", database) }
  }

  private static func parent(of url: URL) throws(StoreError) -> String {
    guard url.isFileURL, !url.lastPathComponent.isEmpty, !url.hasDirectoryPath else {
      throw StoreError(
        .notAccessible,
        "\(url.absoluteString) is not the URL of a file. No store was opened. Give the URL of the "
          + "database file.")
    }
    return url.deletingLastPathComponent().path(percentEncoded: false)
  }

  private static func resolved(_ path: String) throws(StoreError) -> String {
    guard let resolved = realpath(path, nil) else { throw failure("open", path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Creates a folder and its parents; false if it exists and is used for other things.
  private static func makeFolder(_ path: String) throws(StoreError) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 {
      let content = try? FileManager.default.contentsOfDirectory(atPath: path)
      return content == [] && status.st_uid == geteuid() && status.st_mode & S_ISVTX == 0
        && chmod(path, ownerOnlyFolder) == 0
    }
    let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    if parent != path { _ = try makeFolder(above: parent) }
    guard mkdir(path, ownerOnlyFolder) == 0 else {
      if errno == EEXIST { return false }
      throw failure("create", path)
    }
    // The process's mask may have removed permissions that the owner needs.
    guard chmod(path, ownerOnlyFolder) == 0 else { throw failure("create", path) }
    return true
  }

  private static func makeFolder(above path: String) throws(StoreError) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 ? false : try makeFolder(path)
  }

  private static func makeFile(_ path: String) throws(StoreError) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, ownerOnly)
    guard file >= 0 else {
      if errno == EEXIST { return }
      throw failure("create", path)
    }
    defer { close(file) }
    guard fchmod(file, ownerOnly) == 0 else { throw failure("create", path) }
  }

  /// Removes other users' permissions for a file; refuses links and everything else that is not a
  /// file.
  private static func tighten(_ path: String) throws(StoreError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw failure("open", path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(
        .notAccessible,
        "\(path) is not a plain file but a link, a folder or a device. The store was not opened, "
          + "and nothing was changed. Move it away, or choose another place.")
    }
    if status.st_mode & 0o077 != 0, chmod(path, ownerOnly) != 0 { throw failure("protect", path) }
  }

  // MARK: - The folder's mode

  /// Identifies the folder, so that a copied store does not change the mode of another folder.
  var folderIdentity: String? {
    var status = stat()
    return stat(folder, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
  }

  func tightenFolder() { chmod(folder, Self.ownerOnlyFolder) }

  static func failure(_ verb: String, _ path: String) -> StoreError {
    let reason = String(cString: strerror(errno))
    let code: StoreError.Code = errno == ENOSPC || errno == EDQUOT ? .diskFull : .notAccessible
    return StoreError(
      code,
      "Ferry could not \(verb) \(path): \(reason). The store was not opened, and no data was "
        + "changed. Check the path, the permissions and the disk.")
  }
}
