// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import Foundation
import Synchronization

/// The way of SQLite to the files of one overlay: those of the system, with other methods for the database.
final class OverlayVFS: @unchecked Sendable {
  // Unchecked: the overlay is set before anybody opens a file.
  private static let count = Mutex(0)

  private let pointer: UnsafeMutablePointer<sqlite3_vfs>
  private let system: UnsafeMutablePointer<sqlite3_vfs>
  /// The overlay, which owns this object.
  var overlay: Unmanaged<Overlay>?

  init?() {
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    self.system = system
    pointer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    pointer.initialize(to: system.pointee)
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    pointer.pointee.zName = UnsafePointer(strdup("ferry-overlay-\(number)"))
    pointer.pointee.pNext = nil
    pointer.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    pointer.pointee.xOpen = { vfs, path, file, flags, outFlags in
      guard let data = vfs?.pointee.pAppData else { return SQLITE_CANTOPEN }
      return Unmanaged<OverlayVFS>.fromOpaque(data).takeUnretainedValue()
        .open(path, file, flags, outFlags)
    }
    guard sqlite3_vfs_register(pointer, 0) == SQLITE_OK else {
      release()
      return nil
    }
  }

  deinit {
    sqlite3_vfs_unregister(pointer)
    release()
  }

  var name: UnsafePointer<CChar>? { pointer.pointee.zName }

  private func release() {
    free(UnsafeMutableRawPointer(mutating: pointer.pointee.zName))
    pointer.deallocate()
  }

  private func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let result = system.pointee.xOpen(system, path, file, flags, outFlags)
    if result == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file, let overlay {
      OverlayFile.begin(file, of: overlay)
    }
    return result
  }
}
