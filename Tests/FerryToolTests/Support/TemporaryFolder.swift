// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A folder that is removed after the test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "ferry-tool-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path(percentEncoded: false) }

  /// Writes a file, by default readable only by its owner.
  @discardableResult
  func write(_ text: String, to name: String, mode: Int = 0o600) throws -> URL {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: file.path(percentEncoded: false))
    return file
  }
}
