// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The file operations of a staging area: private, and each one whole or not at all.
///
/// Folders are 0700 and files 0600 whatever the umask. Nothing is forced to the disk: pages can be had
/// again, and what a power failure leaves of them does not match its checksum.
struct StagingFiles: Sendable {
  /// A change that is about to be made to the disk.
  enum Change: Hashable, Sendable {
    case makeFolder, create, write, rename, remove
  }

  /// Asked before each change; what it throws is thrown in its place.
  ///
  /// A simulator fills the disk or ends the process here.
  var willChange: @Sendable (Change) throws(SyncError) -> Void = { _ in }

  /// Makes a folder, or takes one that is there.
  func makeFolder(_ folder: URL) throws(SyncError) {
    try willChange(.makeFolder)
    if mkdir(folder.filePath, 0o700) == 0 || errno == EEXIST {
      var status = stat()
      guard lstat(folder.filePath, &status) == 0 else { throw failure("open", folder) }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw failure("open", folder, code: ENOTDIR)
      }
      guard chmod(folder.filePath, 0o700) == 0 else { throw failure("protect", folder) }
    } else {
      throw failure("create", folder)
    }
  }

  /// Puts a file in place that is complete, or leaves what is there.
  func write(_ bytes: Data, to file: URL) throws(SyncError) {
    let part = file.appendingPathExtension("part")
    try remove(part)
    try willChange(.create)
    let descriptor = open(
      part.filePath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("create", part) }
    do throws(SyncError) {
      defer { close(descriptor) }
      guard fchmod(descriptor, 0o600) == 0 else { throw failure("protect", part) }
      try write(bytes, to: descriptor, at: 0, of: part)
    } catch {
      unlink(part.filePath)
      throw error
    }
    try willChange(.rename)
    guard rename(part.filePath, file.filePath) == 0 else {
      let error = failure("rename", part)
      unlink(part.filePath)
      throw error
    }
  }

  /// Writes at a place in a file and cuts off whatever stood behind it.
  func write(_ bytes: Data, at offset: Int, of file: URL) throws(SyncError) {
    let descriptor = open(file.filePath, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", file) }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(offset)) == 0 else { throw failure("write", file) }
    try write(bytes, to: descriptor, at: offset, of: file)
  }

  /// Removes a file, if it is there.
  func remove(_ file: URL) throws(SyncError) {
    try willChange(.remove)
    guard unlink(file.filePath) == 0 || errno == ENOENT else { throw failure("remove", file) }
  }

  /// Removes a folder, if it is there and nothing but what was Ferry's was in it.
  func removeFolder(_ folder: URL) throws(SyncError) {
    try willChange(.remove)
    guard rmdir(folder.filePath) == 0 || [ENOENT, ENOTEMPTY].contains(errno) else {
      throw failure("remove", folder)
    }
  }

  /// The names in a folder, sorted; none where there is no folder.
  func names(in folder: URL) throws(SyncError) -> [String] {
    guard exists(folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.filePath).sorted()
    } catch {
      throw SyncError.staging("read", folder, cause: error)
    }
  }

  /// A file's bytes; nil where there is no file.
  func read(_ file: URL) throws(SyncError) -> Data? {
    guard exists(file) else { return nil }
    do {
      return try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw SyncError.staging("read", file, cause: error)
    }
  }

  /// The size of a file; nil where there is no plain file.
  func size(of file: URL) -> Int? {
    var status = stat()
    guard lstat(file.filePath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Gives a file a second name, or copies it where the other folder is on another disk.
  func link(_ file: URL, to other: URL) throws(SyncError) {
    try willChange(.create)
    if Foundation.link(file.filePath, other.filePath) == 0 { return }
    if let bytes = try read(file) { try write(bytes, to: other) }
  }
}

extension StagingFiles {
  private func write(_ bytes: Data, to descriptor: Int32, at offset: Int, of file: URL)
    throws(SyncError)
  {
    try willChange(.write)
    let reason: Int32? = bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, let start = buffer.baseAddress {
        let count = pwrite(descriptor, start + done, buffer.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        done += count
      }
      return nil
    }
    if let reason { throw failure("write", file, code: reason) }
  }

  func exists(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.filePath, &status) == 0 || errno != ENOENT
  }

  private func failure(_ verb: String, _ url: URL, code: Int32 = errno) -> SyncError {
    .staging(verb, url, cause: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
  }
}

extension URL {
  /// The path as the system's calls take it.
  fileprivate var filePath: String { path(percentEncoded: false) }
}
