// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning
package import Foundation

/// A listing as the staging area holds it: what its manifest says at one moment.
package struct StagedListing: Sendable, Equatable {
  package let listing: Listing
  package let folder: URL
  package private(set) var segments: [ListingSegment] = []
  package private(set) var entries: [ListingPage] = []
  /// What its end told; nil while it has not come to its end.
  package private(set) var end: ListingEnd?
  /// How many of the pages belong to segments before the last one.
  private var earlierPages = 0
  /// The bytes of the manifest's whole lines: where the next one goes.
  private(set) var manifestLength = 0

  package var className: String { listing.className }
  package var isComplete: Bool { end != nil }
  /// The number of the last page staged; 0 when there is none.
  package var lastPage: Int { entries.last?.number ?? 0 }
  /// The latest stamp on its pages.
  package var newest: Timestamp? { entries.map(\.last.updatedAt).max() }
  /// The pages of the segment under way.
  package var pagesOfSegment: [ListingPage] { Array(entries[earlierPages...]) }
  /// When its first page was asked for, by the clock of the environment.
  package var startedAt: Timestamp { listing.startedAt }
  /// How many records its pages have, repeated ones counted each time.
  package var recordCount: Int { entries.reduce(0) { $0 + $1.records } }

  init(_ listing: Listing, folder: URL) {
    self.listing = listing
    self.folder = folder
  }

  /// The pages behind the one with that number, in order; all of them for 0.
  package func pages(after number: Int) -> [StagedPage] {
    entries.drop { $0.number <= number }.map { StagedPage(entry: $0, folder: folder) }
  }

  /// Whether every page behind the one with that number is there in its full size.
  package func isIntact(after number: Int) -> Bool {
    pages(after: number).allSatisfy { StagingFiles().size(of: $0.file) == $0.entry.bytes }
  }
}

extension StagedListing {
  /// What a manifest says; nil where it says nothing of use.
  init?(_ manifest: StagingManifest, folder: URL) {
    guard let listing = manifest.lines.first?.listing else { return nil }
    self.init(listing, folder: folder)
    for line in manifest.lines.dropFirst() { note(line) }
    manifestLength = manifest.length
    guard listing.className == folder.lastPathComponent, isConsistent else { return nil }
  }

  mutating func append(_ line: ManifestLine, bytes: Int) {
    note(line)
    manifestLength += bytes
  }

  private mutating func note(_ line: ManifestLine) {
    if let segment = line.segment {
      segments.append(segment)
      earlierPages = entries.count
      end = nil
    }
    if let page = line.page { entries.append(page) }
    if let complete = line.complete { end = complete }
  }

  /// Segments and pages are numbered on without a gap.
  private var isConsistent: Bool {
    segments.map(\.number) == Array(1..<(segments.count + 1))
      && entries.map(\.number) == Array(1..<(entries.count + 1))
  }
}
