// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Foundation

/// The text of a manifest, read as far as it is whole.
///
/// Lines are only ever added. A last line without its line feed was torn when the process ended; it
/// says nothing, and the next line takes its place.
struct StagingManifest {
  private(set) var lines: [ManifestLine] = []
  /// The bytes of the whole lines.
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
