// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation

/// A private folder; it is removed with its content when it is released, or earlier.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws(StoreError) {
    let parent = FileManager.default.temporaryDirectory
    var template = Array(
      parent.appending(path: "ferry-XXXXXX").path(percentEncoded: false).utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StoreFiles.failure("create a folder in", parent.path(percentEncoded: false))
    }
    url = URL(filePath: String(cString: made), directoryHint: .isDirectory)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  deinit { remove() }
}
