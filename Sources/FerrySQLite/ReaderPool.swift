// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Synchronization

/// Connections for reading: one for each parallel read, of which a few are kept for later.
final class ReaderPool: Sendable {
  private static let kept = 4

  private let path: String
  private let overlay: Overlay?
  private let idle = Mutex<[SQLiteConnection]>([])

  init(path: String, through overlay: Overlay? = nil) {
    self.path = path
    self.overlay = overlay
  }

  func withConnection<Result>(
    _ body: (SQLiteConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let present = idle.withLock { $0.popLast() }
    let connection =
      if let present {
        present
      } else {
        try SQLiteConnection(path: path, for: .reading, through: overlay)
      }
    let result = try body(connection)
    // A failed connection is not kept; the next read opens the file again.
    idle.withLock { if $0.count < Self.kept { $0.append(connection) } }
    return result
  }
}
