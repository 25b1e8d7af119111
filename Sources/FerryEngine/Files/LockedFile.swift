// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A file that is open for one owner on this machine.
final class LockedFile: Sendable {
  let descriptor: Int32

  /// Opens a file, and makes it where there is none; nil if another owner has it.
  init?(at url: URL) throws(FileError) {
    let path = url.systemPath
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .disk("open", path) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        return nil
      }
      // The owner before may have renamed the file, and must not lose it.
      var (opened, named) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, lstat(path, &named) == 0,
        opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
      {
        fchmod(descriptor, 0o600)
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  /// Lets another owner have it.
  func unlock() { flock(descriptor, LOCK_UN) }

  deinit { close(descriptor) }
}
