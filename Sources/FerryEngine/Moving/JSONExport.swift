// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryParse
public import Foundation

/// Files of records as Parse exports them: a list of objects in the form of the REST interface.
///
/// A file is named by its class, as `Game.json`, and has `{"results":[…]}` or the list alone. A file with a list for each
/// class, `{"Game":[…],"League":[…]}`, may have any name. Each object needs `objectId`, `createdAt` and `updatedAt`.
///
/// ```swift
/// let export = JSONExport(files: [folder.appending(path: "Game.json")])
/// print(try await coordinator.planImport(of: export).classes["Game"]?.records ?? 0)
/// ```
public struct JSONExport: ObjectSource {
  /// The files, in the order in which they are read.
  public let files: [URL]

  /// Names files, which are opened when they are read.
  public init(files: [URL]) { self.files = files }

  /// The paths of the files.
  public var name: String {
    files.map { $0.path(percentEncoded: false) }.joined(separator: ", ")
  }

  /// Reads the files to their ends, and looks whether their lists are complete.
  ///
  /// - Throws: `ObjectSourceError` if a file is damaged, is no export, or cannot be read.
  public func check() throws(ObjectSourceError) {
    let reader = JSONExportReader(files)
    while try !reader.next(1000).isEmpty {}
  }

  /// A reader at the first object.
  public func makeReader() throws(ObjectSourceError) -> any ObjectReader { JSONExportReader(files) }
}
