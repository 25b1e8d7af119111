// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Small files that only their owner can read (mode 0600), and that one process changes at a time.
package enum PrivateFile {
  /// An error of the system.
  package struct SystemError: Error, CustomStringConvertible {
    /// The number that the system gave the error.
    package var number: Int32
    /// The system's words.
    package var description: String { String(cString: strerror(number)) }
  }

  /// Holds a lock file while `body` runs, so that no other process or thread changes the file beside it.
  ///
  /// - Parameters:
  ///   - path: The file that `body` changes; the lock is the file with `.lock` at its end.
  ///   - body: Changes the file.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `SystemError` where the lock file cannot be made.
  package static func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw SystemError(number: errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemError(number: errno) }
    }
    return try body()
  }

  /// Puts a whole file in place, on the disk for good, or leaves the earlier one; the caller holds the lock.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file, in a folder that exists.
  /// - Throws: `SystemError`.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(SystemError) {
    // A process that was killed while it wrote has left its part.
    let part = "\(path).part"
    unlink(part)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    let isWritten =
      fchmod(descriptor, 0o600) == 0 && write(Array(bytes), to: descriptor)
      && fsync(descriptor) == 0
    var failure = SystemError(number: errno)
    close(descriptor)
    if isWritten, rename(part, path) == 0 { return }
    if isWritten { failure = SystemError(number: errno) }
    unlink(part)
    throw failure
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
