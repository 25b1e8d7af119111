// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
public import Foundation

/// A class's downloaded pages that wait for their import.
///
/// ```swift
/// for download in try StagedDownload.all(in: staging) {
///   print(download.className, download.pages.count, download.isComplete)
/// }
/// ```
public struct StagedDownload: Sendable, Equatable {
  /// One answer of the server, in a file as it was received.
  public struct Page: Sendable, Equatable {
    /// The file.
    public var file: URL
    /// The number of records in it.
    public var records: Int
    /// Its size in bytes.
    public var bytes: Int

    package init(file: URL, records: Int, bytes: Int) {
      self.file = file
      self.records = records
      self.bytes = bytes
    }
  }

  /// The class.
  public var className: String
  /// Whether the listing came to its end; the next sync continues one that did not.
  public var isComplete: Bool
  /// The folder of the pages.
  public var folder: URL
  /// The pages, in the order received.
  public var pages: [Page]

  package init(className: String, isComplete: Bool, folder: URL, pages: [Page]) {
    self.className = className
    self.isComplete = isComplete
    self.folder = folder
    self.pages = pages
  }

  /// Reads what a staging folder holds, and changes nothing.
  ///
  /// Any thread may call it, also during a run.
  ///
  /// - Parameter folder: The folder that the coordinator was made with.
  /// - Returns: The downloads in the order of their class names; none if there is no such folder.
  /// - Throws: `SyncError` with code `localStorage` if the folder cannot be read.
  public static func all(in folder: URL) throws(SyncError) -> [StagedDownload] {
    guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else {
      return []
    }
    return try StagingArea(folder: folder).listings().map(StagedDownload.init)
  }

  private init(_ listing: StagedListing) {
    self.init(
      className: listing.className, isComplete: listing.isComplete, folder: listing.folder,
      pages: listing.pages(after: 0).map {
        Page(file: $0.file, records: $0.entry.records, bytes: $0.entry.bytes)
      })
  }
}
