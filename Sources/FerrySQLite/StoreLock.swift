// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization

/// The right to sync, as a lock on a file beside the database.
///
/// The lock belongs to this opening of the file: a second one is refused in another process and
/// in this one alike. The kernel releases it when the process dies, so the file itself is left.
/// A program that this process starts shares the opening until it is running, which is why the lock
/// is let go in words and not only closed.
final class StoreLock: SyncLock {
  private let file: Mutex<Int32?>

  init(path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreFiles.failure("open", path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      let owner = Self.owner(in: file)
      close(file)
      errno = reason
      guard reason == EWOULDBLOCK else { throw StoreFiles.failure("lock", path) }
      throw StoreError(
        .busy,
        "The store is being synced already\(owner.map { " by process \($0)" } ?? ""). Nothing was "
          + "changed. Wait until that sync has ended, and try again.")
    }
    self.file = Mutex(file)
    // Only for people, and for the sentence above: the lock holds without it.
    let owner = Array("\(getpid())\n".utf8)
    if fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 { _ = pwrite(file, owner, owner.count, 0) }
  }

  private static func owner(in file: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(file, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: bytes[..<count], as: UTF8.self).filter(\.isNumber))
  }

  deinit { release() }

  func release() {
    file.withLock { file in
      if let open = file {
        flock(open, LOCK_UN)
        close(open)
      }
      file = nil
    }
  }
}
