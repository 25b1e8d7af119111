// Ferry: offline-first sync for Parse Server. MIT licence.

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
    let decoder = JSONDecoder()
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      guard let line = try? decoder.decode(ManifestLine.self, from: rest[..<end]) else { return }
      lines.append(line)
      rest = rest[(end + 1)...]
      length = rest.startIndex - text.startIndex
    }
  }
}
