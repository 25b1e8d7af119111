// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation
import Synchronization

// Backups of the whole device: the store at an earlier time.
extension StoryDevice {
  private var backupFile: URL? {
    database?.deletingLastPathComponent().appending(path: "backup.sqlite")
  }

  /// Keeps a copy of the store.
  func backUp() throws {
    if let backupFile {
      try lines(".backup '\(backupFile.path(percentEncoded: false))'")
    } else {
      let copy = try store.clone()
      backup.withLock { $0 = copy }
    }
  }

  /// Goes on with the copy that a device kept; what this one had is gone.
  func goBack(toBackupOf device: StoryDevice) throws {
    if let file = device.backupFile {
      guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
        throw StoryFault("\(device.name) has not been backed up")
      }
      try lines(".restore '\(file.path(percentEncoded: false))'")
      try reopen()
    } else {
      guard let copy = try device.backup.withLock({ try $0?.clone() }) else {
        throw StoryFault("\(device.name) has not been backed up")
      }
      live(on: copy, schema)
    }
    try store.read { db in
      try self.names.adopt(rowsOf: device.name, on: self.name) { className, localID in
        try db.record(of: className, localID: localID) != nil
      }
    }
  }

  private func lines(_ text: String) throws {
    if let refusal = try shell(text) { throw StoryFault("SQLite refused: \(refusal)") }
  }
}
