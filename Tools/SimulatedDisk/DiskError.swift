// Ferry: offline-first sync for Parse Server. MIT licence.

/// How an operation of a disk fails.
public enum DiskError: String, Sendable, Hashable, CaseIterable {
  /// The device reports an error: EIO.
  case io
  /// No room is left: ENOSPC.
  case full
  /// The first half is written, and then no room is left.
  case shortWrite
  /// Another program holds a lock.
  case busy
  /// The file system became read-only: EROFS.
  case readOnly

  /// Whether it can last: a lock that is held for ever would cost five seconds of real time each time.
  public var canLast: Bool { self != .busy }
}
