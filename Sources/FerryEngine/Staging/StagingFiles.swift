// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// The file operations of a staging area; each one succeeds completely or changes nothing.
///
/// Folders have mode 0700 and files 0600, whatever the umask. Nothing is forced to the disk: pages
/// can be fetched again, and pages damaged by a power failure do not match their checksums.
package struct StagingFiles: Sendable {
  /// A change that is about to be made to the disk.
  package enum Change: Sendable {
    case makeFolder(URL)
    case create(URL)
    case truncate(URL, to: Int)
    case write(Data, at: Int, of: URL)
    case rename(URL, to: URL)
    case remove(URL)
  }

  /// Called before each change; an error that it throws replaces the change.
  ///
  /// A simulator fills the disk, ends the process or loses the power here.
  let willChange: @Sendable (Change) throws(SyncError) -> Void

  package init(willChange: @escaping @Sendable (Change) throws(SyncError) -> Void = { _ in }) {
    self.willChange = willChange
  }

  /// Creates a folder, or uses an existing one; a link to a folder is none.
  func makeFolder(_ folder: URL) throws(SyncError) {
    try willChange(.makeFolder(folder))
    let path = folder.systemPath
    if mkdir(path, 0o700) == 0 || errno == EEXIST {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw failure("open", folder) }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw failure("open", folder, code: ENOTDIR)
      }
      guard chmod(path, 0o700) == 0 else { throw failure("protect", folder) }
    } else {
      throw failure("create", folder)
    }
  }

  /// Puts a complete file in place, or changes nothing.
  func write(_ bytes: Data, to file: URL) throws(SyncError) {
    let part = file.appendingPathExtension("part")
    try remove(part)
    do throws(SyncError) {
      try create(part, with: bytes)
      try willChange(.rename(part, to: file))
      guard rename(part.systemPath, file.systemPath) == 0 else { throw failure("rename", part) }
    } catch {
      try? remove(part)
      throw error
    }
  }

  private func create(_ file: URL, with bytes: Data) throws(SyncError) {
    try willChange(.create(file))
    let descriptor = open(
      file.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("create", file) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw failure("protect", file) }
    try write(bytes, to: descriptor, at: 0, of: file)
  }

  /// Writes at an offset in a file and cuts off everything after it.
  func write(_ bytes: Data, at offset: Int, of file: URL) throws(SyncError) {
    let descriptor = open(file.systemPath, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", file) }
    defer { close(descriptor) }
    try willChange(.truncate(file, to: offset))
    guard ftruncate(descriptor, off_t(offset)) == 0 else { throw failure("write", file) }
    try write(bytes, to: descriptor, at: offset, of: file)
  }

  /// Removes a file if it exists.
  func remove(_ file: URL) throws(SyncError) {
    try willChange(.remove(file))
    guard unlink(file.systemPath) == 0 || errno == ENOENT else { throw failure("remove", file) }
  }

  /// Removes a folder if it exists and contains only Ferry's files.
  func removeFolder(_ folder: URL) throws(SyncError) {
    try willChange(.remove(folder))
    guard rmdir(folder.systemPath) == 0 || [ENOENT, ENOTEMPTY].contains(errno) else {
      throw failure("remove", folder)
    }
  }

  /// The names in a folder, sorted; none if there is no folder.
  func names(in folder: URL) throws(SyncError) -> [String] {
    guard let stream = opendir(folder.systemPath) else {
      if errno == ENOENT { return [] }
      throw failure("read", folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw failure("read", folder) }
    return names.sorted()
  }

  /// A file's bytes; nil if there is no file.
  func read(_ file: URL) throws(SyncError) -> Data? {
    if let size = size(of: file), size <= Self.smallFile { return try read(file, size) }
    guard exists(file) else { return nil }
    do {
      return try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw SyncError.staging("read", file, cause: error)
    }
  }

  /// Files up to this size are read at once; larger ones are mapped.
  private static let smallFile = 1 << 16

  private func read(_ file: URL, _ size: Int) throws(SyncError) -> Data {
    let descriptor = open(file.systemPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("read", file) }
    defer { close(descriptor) }
    var bytes = Data(count: size)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw failure("read", file) }
    return bytes.prefix(count)
  }

  /// The size of a file; nil if there is no plain file.
  func size(of file: URL) -> Int? {
    var status = stat()
    guard lstat(file.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Gives a file a second name, or copies it if the other folder is on another disk.
  func link(_ file: URL, to other: URL) throws(SyncError) {
    try willChange(.create(other))
    if Foundation.link(file.systemPath, other.systemPath) == 0 { return }
    if let bytes = try read(file) { try write(bytes, to: other) }
  }
}

extension StagingFiles {
  private func write(_ bytes: Data, to descriptor: Int32, at offset: Int, of file: URL)
    throws(SyncError)
  {
    try willChange(.write(bytes, at: offset, of: file))
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
    return lstat(url.systemPath, &status) == 0 || errno != ENOENT
  }

  private func failure(_ verb: String, _ url: URL, code: Int32 = errno) -> SyncError {
    .staging(verb, url, cause: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
  }
}
