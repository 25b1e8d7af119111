// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// One line of a class's manifest: exactly one of its members is there.
struct ManifestLine: Codable, Equatable {
  var listing: Listing?
  var segment: ListingSegment?
  var page: ListingPage?
  var complete: ListingEnd?

  /// The line as it is written, with its line feed.
  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

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
