// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A file system in memory whose size is set, so that the tool meets a disk that is really full.
///
/// Only root may mount one.
struct FullDisk {
  private let folder: URL

  /// Mounts the file system on a folder; nil where that is not allowed.
  init?(on folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard try Self.mount(["-t", "tmpfs", "-o", "size=64m", "ferry-torture", folder.path]) else {
      return nil
    }
  }

  /// Leaves room for that number of bytes beside the files that are there.
  func leaveRoom(_ bytes: Int) throws {
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.fileSizeKey])
    var used = 0
    while let file = files?.nextObject() as? URL {
      let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      used += (size + 4095) / 4096 * 4096
    }
    guard try Self.mount(["-o", "remount,size=\(used + bytes)", folder.path]) else {
      throw Trial.Fault("The size of \(folder.path) cannot be changed.")
    }
  }

  /// Makes the disk large again.
  func enlarge() throws { _ = try Self.mount(["-o", "remount,size=64m", folder.path]) }

  func unmount() { _ = try? Self.run("/bin/umount", [folder.path]) }

  private static func mount(_ arguments: [String]) throws -> Bool {
    try run("/bin/mount", arguments)
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> Bool {
    try ProgramRun.end(of: URL(filePath: program), arguments) == .exit(0)
  }
}
