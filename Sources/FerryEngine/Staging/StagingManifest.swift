// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Foundation

/// The complete part of a manifest's text.
///
/// Lines are only appended. A last line without its line feed was cut off by the end of the
/// process. It is ignored, and the next line replaces it.
struct StagingManifest {
  private(set) var lines: [ManifestLine] = []
  /// The length of the complete lines.
  private(set) var length = 0

  init(_ text: Data) {
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let written = String(decoding: rest[..<end], as: UTF8.self)
      guard let line = try? StoredJSON.note(ManifestLine.self, from: written) else { return }
      lines.append(line)
      rest = rest[(end + 1)...]
      length = rest.startIndex - text.startIndex
    }
  }
}
