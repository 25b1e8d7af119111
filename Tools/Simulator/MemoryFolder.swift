// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Where files go that are written often and need not outlive the process.
package enum MemoryFolder {
  /// A folder in memory where the system has one, or else the folder of temporary files.
  package static var url: URL {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    return isThere ? memory : FileManager.default.temporaryDirectory
  }
}
