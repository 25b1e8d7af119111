// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// The bytes of a download on the disk.
///
/// One process writes them at a time: a lock of the system, which ends with the process, says which.
struct PartFile: Sendable {
  /// The bytes that are there and whose sum is known.
  private(set) var count = 0
  private(set) var sum = SHA256()
  let url: URL
  /// Whether another download can go on from it; a second process has one of its own, which cannot be found again.
  let canResume: Bool
  private let file: LockedFile
  /// Writes bytes to a descriptor, as `write` of the system; a test fills the disk here.
  private let write: FileWrite

  /// Opens the part of a file, and proves the beginning that its note describes.
  init(
    _ key: String, in folder: FileFolder, writing write: @escaping FileWrite
  ) throws(FileError) {
    let shared = folder.part(key)
    if let file = try LockedFile(at: shared) {
      (url, self.file, canResume) = (shared, file, true)
    } else {
      url = folder.part("\(key).\(UUID().uuidString)")
      guard let own = try LockedFile(at: url) else { throw .disk("lock", url.systemPath, EAGAIN) }
      (file, canResume) = (own, false)
    }
    self.write = write
  }

  /// Goes on behind the bytes that a note describes; false if they are not there as the note says.
  mutating func resume(_ note: PartialNote) -> Bool {
    guard canResume, note.bytes > 0 else { return false }
    var sum = SHA256()
    var done = 0
    let isWhole = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while done < note.bytes {
        let wanted = min(buffer.count, note.bytes - done)
        let count = pread(file.descriptor, buffer.baseAddress, wanted, off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sum.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        done += count
      }
      return true
    }
    guard isWhole, sum.text == note.sha256, ftruncate(file.descriptor, off_t(done)) == 0,
      lseek(file.descriptor, off_t(done), SEEK_SET) == off_t(done)
    else { return false }
    (self.sum, count) = (sum, done)
    return true
  }

  /// Begins anew.
  mutating func restart() throws(FileError) {
    guard ftruncate(file.descriptor, 0) == 0, lseek(file.descriptor, 0, SEEK_SET) == 0 else {
      throw .disk("write", url.systemPath)
    }
    (sum, count) = (SHA256(), 0)
  }

  /// Writes the next bytes.
  mutating func add(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = write(file.descriptor, UnsafeRawBufferPointer(rebasing: rest))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .disk("write", url.systemPath) }
      rest = rest.dropFirst(written)
    }
    sum.add(bytes)
    count += bytes.count
  }

  /// Lets others go on with it; this value writes no more.
  func release() { file.unlock() }

  /// Puts the bytes on the disk for good.
  func flush() throws(FileError) {
    guard fsync(file.descriptor) == 0 else { throw .disk("write", url.systemPath) }
  }
}
