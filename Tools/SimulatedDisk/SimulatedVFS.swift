// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import Foundation
import Synchronization

/// SQLite's way to the simulated disks: its default VFS once a disk exists.
///
/// A file outside the folders of all disks is opened by the system's own VFS, with its own methods.
enum SimulatedVFS {
  private struct Disk {
    weak var disk: SimulatedDisk?
  }

  /// The disks by the paths of their folders.
  private static let disks = Mutex<[String: Disk]>([:])

  /// Makes a disk the one of its folder.
  static func mount(_ disk: SimulatedDisk) {
    _ = isRegistered
    disks.withLock { $0[key(disk.folder)] = Disk(disk: disk) }
  }

  static func unmount(_ folder: URL) {
    disks.withLock { $0[key(folder)] = nil }
  }

  private static func key(_ folder: URL) -> String {
    let path = folder.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The disk of a database's file, and the file's name on it.
  static func place(of path: UnsafePointer<CChar>?) -> (disk: SimulatedDisk, name: String)? {
    guard let path = path.map({ String(cString: $0) }), let slash = path.lastIndex(of: "/"),
      let disk = disks.withLock({ $0[String(path[..<slash])]?.disk })
    else { return nil }
    return (disk, String(path[path.index(after: slash)...]))
  }

  /// The VFS that does the work.
  static var system: UnsafeMutablePointer<sqlite3_vfs>? { registered?.system }
  private static var isRegistered: Bool { registered != nil }

  private struct Registration: @unchecked Sendable {
    // Unchecked: the pointers stay as they are for the life of the process.
    let system: UnsafeMutablePointer<sqlite3_vfs>
  }

  private static let registered: Registration? = {
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.zName = UnsafePointer(strdup("ferry-simulated"))
    vfs.pointee.pNext = nil
    vfs.pointee.szOsFile = system.pointee.szOsFile + Int32(SimulatedFile.head)
    vfs.pointee.xOpen = { open($1, $2, $3, $4) }
    vfs.pointee.xDelete = { delete($1, $2) }
    vfs.pointee.xAccess = { access($1, $2, $3) }
    guard sqlite3_vfs_register(vfs, 1) == SQLITE_OK else { return nil }
    return Registration(system: system)
  }()

  // MARK: Methods

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let system, let file else { return SQLITE_CANTOPEN }
    guard let (disk, name) = place(of: path) else {
      return system.pointee.xOpen(system, path, file, flags, outFlags)
    }
    file.pointee.pMethods = nil
    let isThere = disk.has(name)
    let exists = path.map { Foundation.access($0, F_OK) == 0 } ?? false
    let isNew = !isThere && !exists
    // Ferry makes the database's file itself, before SQLite opens it.
    if !isThere, exists { disk.adopt(name) }
    let isCreated = isNew && flags & SQLITE_OPEN_CREATE != 0
    if let refusal = isCreated ? disk.create(name) : disk.pass(.open) {
      return refusal == .error(.full) ? SQLITE_FULL : SQLITE_CANTOPEN
    }
    let inner = SimulatedFile.inner(of: file)
    let result = system.pointee.xOpen(system, path, inner, flags, outFlags)
    guard result == SQLITE_OK else { return result }
    SimulatedFile.begin(file, on: disk, name: name, isNew: isCreated)
    return SQLITE_OK
  }

  private static func delete(_ path: UnsafePointer<CChar>?, _ syncsFolder: Int32) -> Int32 {
    guard let system else { return SQLITE_IOERR }
    if let (disk, name) = place(of: path) {
      guard disk.remove(name) == nil else { return SQLITE_IOERR | (10 << 8) }
      if syncsFolder != 0, disk.sync(name, withFolder: true) != nil {
        return SQLITE_IOERR | (5 << 8)
      }
    }
    return system.pointee.xDelete(system, path, 0)
  }

  private static func access(
    _ path: UnsafePointer<CChar>?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let system else { return SQLITE_IOERR }
    if let (disk, _) = place(of: path), disk.pass(.access) != nil {
      return SQLITE_IOERR | (13 << 8)
    }
    return system.pointee.xAccess(system, path, flags, result)
  }
}
