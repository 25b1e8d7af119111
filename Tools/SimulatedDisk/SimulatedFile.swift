// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import Foundation

/// A file that SQLite has opened on a simulated disk.
///
/// SQLite gives it memory, which begins with the methods and a pointer to this object. The file of the system's own VFS
/// follows, which reads and writes, locks, and shares memory.
final class SimulatedFile {
  /// The bytes before the system's own file.
  static let head = 16

  private let disk: SimulatedDisk
  private let name: String
  /// The process that opened the file.
  private let process: Int
  /// Whether the file's name is not durable yet: SQLite syncs the folder of a new log or journal.
  private var isNew: Bool

  private init(disk: SimulatedDisk, name: String, isNew: Bool) {
    self.disk = disk
    self.name = name
    process = disk.process
    self.isNew = isNew
  }

  static func begin(
    _ file: UnsafeMutablePointer<sqlite3_file>, on disk: SimulatedDisk, name: String, isNew: Bool
  ) {
    let object = SimulatedFile(disk: disk, name: name, isNew: isNew)
    UnsafeMutableRawPointer(file).storeBytes(
      of: Unmanaged.passRetained(object).toOpaque(), toByteOffset: 8,
      as: UnsafeMutableRawPointer.self)
    file.pointee.pMethods = UnsafePointer(methods.pointer)
  }

  /// The file of the system's own VFS.
  static func inner(
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file) + head).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func object(of file: UnsafeMutablePointer<sqlite3_file>) -> Unmanaged<
    SimulatedFile
  > {
    Unmanaged.fromOpaque(
      UnsafeMutableRawPointer(file).load(fromByteOffset: 8, as: UnsafeMutableRawPointer.self))
  }

  // MARK: Operations

  private func write(
    _ bytes: UnsafeRawPointer, _ count: Int32, _ offset: Int64, _ inner: Inner
  ) -> Int32 {
    let copy = [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    switch disk.write(copy, at: Int(offset), of: name) {
    case nil: return inner.methods.xWrite(inner.file, bytes, count, offset)
    case .error(.shortWrite):
      _ = inner.methods.xWrite(inner.file, bytes, count / 2, offset)
      return SQLITE_FULL
    case .error(.full): return SQLITE_FULL
    default: return Self.error(3)
    }
  }

  private func sync() -> Int32 {
    guard disk.sync(name, withFolder: isNew) == nil else { return Self.error(4) }
    isNew = false
    // The file beneath is in memory, where nothing needs a sync.
    return SQLITE_OK
  }

  private func pass(
    _ operation: DiskOperation, _ code: Int32, _ body: () -> Int32
  ) -> Int32 {
    switch disk.pass(operation) {
    case nil: body()
    case .error(.busy): SQLITE_BUSY
    case .error(.full): Self.error(19)
    default: Self.error(code)
    }
  }

  /// An extended code, which SQLite defines by a shift that Swift does not import.
  private static func error(_ number: Int32) -> Int32 { SQLITE_IOERR | (number << 8) }

  // MARK: Methods

  /// The system's own file and its methods.
  private struct Inner {
    let file: UnsafeMutablePointer<sqlite3_file>
    let methods: sqlite3_io_methods
  }

  private static func with(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (SimulatedFile, Inner) -> Int32
  ) -> Int32 {
    guard let file else { return SQLITE_IOERR }
    let inner = inner(of: file)
    guard let methods = inner.pointee.pMethods?.pointee else { return SQLITE_IOERR }
    let own = object(of: file).takeUnretainedValue()
    return own.disk.working(as: own.process) { body(own, Inner(file: inner, methods: methods)) }
  }

  private struct Methods: @unchecked Sendable {
    // Unchecked: nothing changes them.
    let pointer: UnsafeMutablePointer<sqlite3_io_methods>
  }

  private static let methods: Methods = {
    var methods = sqlite3_io_methods()
    // Version 2: log and shared memory, without mapped files.
    methods.iVersion = 2
    addFileMethods(to: &methods)
    addLockMethods(to: &methods)
    addSharedMemoryMethods(to: &methods)
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: methods)
    return Methods(pointer: pointer)
  }()

  private static func addFileMethods(to methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      let result = SimulatedFile.with(file) { $1.methods.xClose($1.file) }
      if let file {
        SimulatedFile.object(of: file).release()
        file.pointee.pMethods = nil
      }
      return result
    }
    methods.xRead = { file, bytes, count, offset in
      SimulatedFile.with(file) { own, inner in
        own.pass(.read, 1) { inner.methods.xRead(inner.file, bytes, count, offset) }
      }
    }
    methods.xWrite = { file, bytes, count, offset in
      guard let bytes else { return SQLITE_IOERR }
      return SimulatedFile.with(file) { $0.write(bytes, count, offset, $1) }
    }
    methods.xTruncate = { file, size in
      SimulatedFile.with(file) { own, inner in
        own.disk.truncate(own.name, to: Int(size)) == nil
          ? inner.methods.xTruncate(inner.file, size) : SimulatedFile.error(6)
      }
    }
    methods.xSync = { file, _ in SimulatedFile.with(file) { own, _ in own.sync() } }
    methods.xFileSize = { file, size in
      SimulatedFile.with(file) { own, inner in
        own.pass(.size, 7) { inner.methods.xFileSize(inner.file, size) }
      }
    }
    methods.xFileControl = { file, operation, argument in
      SimulatedFile.with(file) { $1.methods.xFileControl($1.file, operation, argument) }
    }
    methods.xSectorSize = { file in SimulatedFile.with(file) { $1.methods.xSectorSize($1.file) } }
    methods.xDeviceCharacteristics = { file in
      SimulatedFile.with(file) { $1.methods.xDeviceCharacteristics($1.file) }
    }
  }

  private static func addLockMethods(to methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      SimulatedFile.with(file) { own, inner in
        own.pass(.lock, 15) { inner.methods.xLock(inner.file, level) }
      }
    }
    methods.xUnlock = { file, level in
      SimulatedFile.with(file) { $1.methods.xUnlock($1.file, level) }
    }
    methods.xCheckReservedLock = { file, result in
      SimulatedFile.with(file) { $1.methods.xCheckReservedLock($1.file, result) }
    }
  }

  private static func addSharedMemoryMethods(to methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, region, size, extends, memory in
      SimulatedFile.with(file) { own, inner in
        own.pass(.sharedMemory, 21) {
          inner.methods.xShmMap(inner.file, region, size, extends, memory)
        }
      }
    }
    methods.xShmLock = { file, offset, count, flags in
      SimulatedFile.with(file) { own, inner in
        guard flags & SQLITE_SHM_LOCK != 0 else {
          return inner.methods.xShmLock(inner.file, offset, count, flags)
        }
        return own.pass(.sharedLock, 20) {
          inner.methods.xShmLock(inner.file, offset, count, flags)
        }
      }
    }
    methods.xShmBarrier = { file in
      _ = SimulatedFile.with(file) {
        $1.methods.xShmBarrier($1.file)
        return SQLITE_OK
      }
    }
    methods.xShmUnmap = { file, deletes in
      SimulatedFile.with(file) { $1.methods.xShmUnmap($1.file, deletes) }
    }
  }
}
