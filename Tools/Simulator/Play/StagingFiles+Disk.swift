// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Foundation
import SimulatedDisk

extension StagingFiles {
  /// The files of a staging area on a simulated disk.
  init(on disk: SimulatedDisk) {
    self.init { change throws(SyncError) in
      // A plan copies the staging area to another disk.
      guard let name = disk.name(of: change.file.path(percentEncoded: false)),
        let refusal = disk.refusal(of: change, name)
      else { return }
      if refusal == .error(.shortWrite), case .write(let bytes, let offset, let file) = change {
        Self.write(bytes.prefix(bytes.count / 2), at: offset, of: file)
      }
      throw SyncError(
        .localStorage, "The disk of this device fails at \(name).", cause: refusal.cause)
    }
  }

  private static func write(_ bytes: Data, at offset: Int, of file: URL) {
    guard let handle = try? FileHandle(forWritingTo: file) else { return }
    try? handle.seek(toOffset: UInt64(offset))
    try? handle.write(contentsOf: bytes)
    try? handle.close()
  }
}

extension StagingFiles.Change {
  fileprivate var file: URL {
    switch self {
    case .makeFolder(let file), .create(let file), .truncate(let file, _), .write(_, _, let file),
      .rename(let file, _), .remove(let file):
      file
    }
  }
}

extension SimulatedDisk {
  fileprivate func refusal(of change: StagingFiles.Change, _ name: String) -> Refusal? {
    switch change {
    // A folder is there as soon as one of its files is.
    case .makeFolder: nil
    case .create: create(name)
    case .truncate(_, let size): truncate(name, to: size)
    case .write(let bytes, let offset, _): write(Array(bytes), at: offset, of: name)
    case .rename(_, let other):
      self.name(of: other.path(percentEncoded: false)).flatMap { rename(name, to: $0) }
    case .remove: remove(name)
    }
  }
}

extension SimulatedDisk.Refusal {
  fileprivate var cause: POSIXError {
    switch self {
    case .off, .error(.io): POSIXError(.EIO)
    case .error(.full), .error(.shortWrite): POSIXError(.ENOSPC)
    case .error(.busy): POSIXError(.EBUSY)
    case .error(.readOnly): POSIXError(.EROFS)
    }
  }
}
