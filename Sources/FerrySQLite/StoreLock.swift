// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization

/// The right to sync: a lock on a file beside the database.
///
/// The lock belongs to one opening of the file. A second opening is refused the lock, in this
/// process as in another. The kernel releases the lock when the process dies, so the file itself
/// can stay. A child process shares the opening until it executes its program. So this type unlocks
/// explicitly instead of only closing the file.
final class StoreLock: SyncLock {
  private let file: Mutex<Int32?>

  init(path: String) throws(StoreError) {
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
    // The file's content is only for people and for the message above; the lock works without it.
    let owner = Array("\(getpid())\n".utf8)
    if fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 { _ = pwrite(file, owner, owner.count, 0) }
  }

  /// The right to sync; nil while another program has it.
  static func ifFree(path: String) throws(StoreError) -> StoreLock? {
    do {
      return try StoreLock(path: path)
    } catch {
      if error.code == .busy { return nil }
      throw error
    }
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
