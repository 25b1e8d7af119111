// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

/// A folder for the files of one input, best one in memory.
enum FuzzFolder {
  /// Makes a folder, and removes it afterwards.
  static func use(_ body: (URL) throws(BrokenLaw) -> Void) throws(BrokenLaw) {
    let folder = MemoryFolder.url.appending(
      path: "ferry-fuzz-\(UUID().uuidString)", directoryHint: .isDirectory)
    guard mkdir(folder.path, 0o700) == 0 else { return }
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
