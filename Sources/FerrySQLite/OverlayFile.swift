// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import Foundation

/// The database file of an overlay, as SQLite opened it.
///
/// It is the system's own file, which also locks and shares memory. Its methods are a copy of the system's, in which
/// those for reading, writing and the size ask the overlay. This follows the copy in memory.
struct OverlayFile {
  private static let head = MemoryLayout<sqlite3_io_methods>.stride

  private let overlay: Unmanaged<Overlay>
  private let system: UnsafePointer<sqlite3_io_methods>

  /// Takes over a file that the system has opened.
  static func begin(_ file: UnsafeMutablePointer<sqlite3_file>, of overlay: Unmanaged<Overlay>) {
    guard let system = file.pointee.pMethods else { return }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: head + MemoryLayout<OverlayFile>.stride, alignment: 16)
    let methods = memory.bindMemory(to: sqlite3_io_methods.self, capacity: 1)
    methods.initialize(to: system.pointee)
    // Version 2: log and shared memory, without mapped files.
    methods.pointee.iVersion = 2
    replaceMethods(of: methods)
    (memory + head).storeBytes(
      of: OverlayFile(overlay: overlay.retain(), system: system), as: OverlayFile.self)
    file.pointee.pMethods = UnsafePointer(methods)
  }

  private static func replaceMethods(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xRead = { file, bytes, count, offset in
      OverlayFile.with(file) { this, file in
        this.overlay.takeUnretainedValue().read(bytes, count, offset) {
          this.system.pointee.xRead(file, bytes, count, offset)
        }
      }
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      OverlayFile.with(file) { this, file in
        let result = this.system.pointee.xWrite(file, bytes, count, offset)
        if result == SQLITE_OK { this.overlay.takeUnretainedValue().wrote(count, offset) }
        return result
      }
    }
    methods.pointee.xTruncate = { file, size in
      OverlayFile.with(file) { this, file in
        let result = this.system.pointee.xTruncate(file, size)
        if result == SQLITE_OK { this.overlay.takeUnretainedValue().truncated(to: size) }
        return result
      }
    }
    methods.pointee.xFileSize = { file, size in
      OverlayFile.with(file) { this, _ in
        size?.pointee = this.overlay.takeUnretainedValue().size
        return SQLITE_OK
      }
    }
    methods.pointee.xClose = { file in
      OverlayFile.with(file) { this, file in
        let methods = file.pointee.pMethods
        file.pointee.pMethods = this.system
        let result = this.system.pointee.xClose(file)
        UnsafeMutableRawPointer(mutating: methods)?.deallocate()
        this.overlay.release()
        return result
      }
    }
  }

  private static func with(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (OverlayFile, UnsafeMutablePointer<sqlite3_file>) -> Int32
  ) -> Int32 {
    guard let file, let methods = file.pointee.pMethods else { return SQLITE_IOERR }
    return body((UnsafeRawPointer(methods) + head).load(as: OverlayFile.self), file)
  }
}
