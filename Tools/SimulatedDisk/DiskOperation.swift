// Ferry: offline-first sync for Parse Server. MIT licence.

/// An operation that a simulated disk carries out, refuses, or does not survive.
public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
  case create, write, truncate, sync, rename, remove
  case open, read, size, access, lock, sharedLock, sharedMemory

  /// Whether the operation changes what is on the disk, or what is certain to stay there.
  public var isChange: Bool {
    switch self {
    case .create, .write, .truncate, .sync, .rename, .remove: true
    case .open, .read, .size, .access, .lock, .sharedLock, .sharedMemory: false
    }
  }

  /// The errors with which it can fail.
  public var errors: [DiskError] {
    switch self {
    case .create: [.io, .full, .readOnly]
    case .write: [.io, .full, .shortWrite, .readOnly]
    case .truncate, .rename, .remove: [.io, .readOnly]
    case .sync: [.io]
    case .lock, .sharedLock: [.io, .busy]
    case .sharedMemory: [.io, .full]
    case .open, .read, .size, .access: [.io]
    }
  }
}
