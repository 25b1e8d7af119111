// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning
package import Foundation

/// A listing in the staging area, as its manifest describes it at one moment.
package struct StagedListing: Sendable, Equatable {
  package let listing: Listing
  package let folder: URL
  package private(set) var segments: [ListingSegment] = []
  package private(set) var entries: [ListingPage] = []
  /// The result of the complete listing; nil while it is incomplete.
  package private(set) var end: ListingEnd?
  /// The number of pages before the last segment.
  private var earlierPages = 0
  /// The length of the manifest's complete lines, where the next line begins.
  private(set) var manifestLength = 0
  /// The lines that the manifest does not have yet.
  private(set) var unsaved: [ManifestLine] = []

  package var className: String { listing.className }
  package var isComplete: Bool { end != nil }
  /// The number of the last staged page; 0 if there is none.
  package var lastPage: Int { entries.last?.number ?? 0 }
  /// The latest stamp on its pages.
  package var newest: Timestamp? { entries.map(\.last.updatedAt).max() }
  /// The pages of the current segment.
  package var pagesOfSegment: [ListingPage] { Array(entries[earlierPages...]) }
  /// The state that a download continues from.
  var progress: ListingProgress {
    ListingProgress(segments: segments, pages: pagesOfSegment, newest: newest, end: end)
  }
  /// When its first page was requested, by the environment's clock.
  package var startedAt: Timestamp { listing.startedAt }
  /// The number of records on its pages; repeated records count each time.
  package var recordCount: Int { entries.reduce(0) { $0 + $1.records } }

  init(_ listing: Listing, folder: URL) {
    self.listing = listing
    self.folder = folder
  }

  /// Whether a download can go on behind its pages.
  ///
  /// A comparison of versions notes no place at which it stands. The segment behind it holds when the comparison began,
  /// as long as that segment goes on and does not begin anew.
  package var canContinue: Bool {
    guard end == nil, segments.contains(where: { $0.comparesVersions == true }) else { return true }
    return segments.last?.comparesVersions != true && !pagesOfSegment.isEmpty
  }

  /// The pages after that number, in order; all pages for 0.
  package func pages(after number: Int) -> [StagedPage] {
    entries.drop { $0.number <= number }.map { StagedPage(entry: $0, folder: folder) }
  }

  /// Whether every page after that number exists in its full size.
  package func isIntact(after number: Int) -> Bool {
    pages(after: number).allSatisfy { StagingFiles().size(of: $0.file) == $0.entry.bytes }
  }
}

extension StagedListing {
  /// The listing of a manifest; nil if the manifest is unusable.
  init?(_ manifest: StagingManifest, folder: URL) {
    guard let listing = manifest.lines.first?.listing else { return nil }
    self.init(listing, folder: folder)
    for line in manifest.lines.dropFirst() { note(line) }
    manifestLength = manifest.length
    guard listing.className == folder.lastPathComponent, isConsistent else { return nil }
  }

  /// A listing whose manifest is still to be written.
  init(beginning listing: Listing, folder: URL) {
    self.init(listing, folder: folder)
    unsaved = [ManifestLine(listing: listing)]
  }

  /// Begins a segment; a complete listing becomes incomplete.
  package mutating func open(_ segment: ListingSegment) { append(ManifestLine(segment: segment)) }

  /// Notes a page whose file is in place.
  mutating func add(_ page: ListingPage) { append(ManifestLine(page: page)) }

  /// Notes that the listing is complete.
  package mutating func complete(_ end: ListingEnd) { append(ManifestLine(complete: end)) }

  private mutating func append(_ line: ManifestLine) {
    note(line)
    unsaved.append(line)
  }

  /// Notes that the manifest has all lines, which are that much longer.
  mutating func saved(_ bytes: Int) {
    manifestLength += bytes
    unsaved = []
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

  /// Whether segments and pages are numbered without a gap, and each page can have its records.
  private var isConsistent: Bool {
    segments.map(\.number) == Array(1..<(segments.count + 1))
      && entries.map(\.number) == Array(1..<(entries.count + 1))
      && entries.allSatisfy { entry in
        (0...Self.mostBytes).contains(entry.bytes) && (0...entry.bytes).contains(entry.records)
      }
  }

  /// More than any page has; an altered number beyond it must not end the process.
  private static let mostBytes = 1 << 40
}
