// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

/// Compares text with a file in Fixtures/snapshots, or writes it there when `FERRY_UPDATE_SNAPSHOTS` is set.
enum Snapshot {
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(text, isIn: folder.appending(path: "\(name).txt"), sourceLocation: sourceLocation)
  }

  static func expect(
    _ text: String, isIn file: URL, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = text.hasSuffix("\n") ? text : text + "\n"
    if ProcessInfo.processInfo.environment["FERRY_UPDATE_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let known = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      text == known,
      "Differs from \(file.path(percentEncoded: false)); FERRY_UPDATE_SNAPSHOTS=1 writes it anew.",
      sourceLocation: sourceLocation)
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/snapshots/tool").standardized
}
