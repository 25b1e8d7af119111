// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A copy of a content under a name that is not there yet, for its owner only: the whole content, or no file.
struct FileCopy {
  let target: URL
  /// Writes bytes to a file that is open, as `write` of the system; a test fills the disk here.
  private let write: (Int32, UnsafeRawBufferPointer) -> Int

  init(
    to path: String,
    writing write: @escaping (Int32, UnsafeRawBufferPointer) -> Int = {
      Foundation.write($0, $1.baseAddress, $1.count)
    }
  ) {
    target = URL(filePath: path).absoluteURL.standardized
    self.write = write
  }

  /// Makes sure that a file can be made under the name, before anything is fetched for it.
  func check() throws(Failure) {
    var status = stat()
    if lstat(target.filePath, &status) == 0 { throw failure(EEXIST, "No file was fetched.") }
    guard errno == ENOENT, access(folder.filePath, W_OK | X_OK) == 0 else {
      throw failure(errno, "No file was fetched.")
    }
  }

  /// Copies a content; the name shows it only when it is whole and on the disk.
  func make(of content: URL) throws(Failure) {
    let part = folder.appending(path: ".ferry-\(UUID().uuidString)").filePath
    defer { unlink(part) }
    guard let number = write(content.filePath, to: part) ?? place(part) else { return }
    throw failure(number, "The file was fetched, and is in \(content.filePath).")
  }

  private var folder: URL { target.deletingLastPathComponent() }

  /// The number of the error, if there is one.
  private func write(_ content: String, to part: String) -> Int32? {
    let source = open(content, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return errno }
    defer { close(source) }
    let copy = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { return errno }
    defer { close(copy) }
    guard fchmod(copy, 0o600) == 0 else { return errno }
    return withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      while true {
        let count = read(source, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return errno }
        if count == 0 { return fsync(copy) == 0 ? nil : errno }
        if let number = writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: copy) {
          return number
        }
      }
    }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer, to copy: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = write(copy, UnsafeRawBufferPointer(rebasing: rest))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return errno }
      rest = rest.dropFirst(written)
    }
    return nil
  }

  /// Gives the copy its name, unless another file has got it meanwhile.
  private func place(_ part: String) -> Int32? {
    if link(part, target.filePath) == 0 { return nil }
    // Disks of cameras know no second names.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return errno }
    var status = stat()
    if lstat(target.filePath, &status) == 0 { return EEXIST }
    return rename(part, target.filePath) == 0 ? nil : errno
  }

  private func failure(_ number: Int32, _ fate: String) -> Failure {
    let isFull = [ENOSPC, EDQUOT].contains(number)
    let reason = isFull ? "the disk is full" : String(cString: strerror(number))
    let remedy =
      switch number {
      case ENOSPC, EDQUOT: "Make room, or name a file on another disk."
      case EEXIST: "Name a file that is not there yet."
      default: "Name a file in a folder that belongs to you."
      }
    return Failure(
      isFull ? .inputOutput : .cannotCreate, isFull ? "disk-full" : "cannot-create",
      "ferry cannot write \(target.filePath): \(reason). \(fate) \(remedy)")
  }
}
