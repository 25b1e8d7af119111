// Ferry: offline-first sync for Parse Server. MIT licence.

/// The objects of another library, for `SyncCoordinator.importObjects(from:)`.
///
/// `ParseLocalDatastore` and `JSONExport` are the sources of Ferry. An app that kept its objects otherwise writes its own.
/// A source only reads: nobody changes its files.
public protocol ObjectSource: Sendable {
  /// The source as messages name it, such as the path of a file.
  var name: String { get }
  /// Looks at the whole of the source before anything is imported.
  ///
  /// - Throws: `ObjectSourceError` if the source is damaged, is of another kind, or cannot be read.
  func check() throws(ObjectSourceError)
  /// A reader at the first object; an import goes through the objects twice.
  func makeReader() throws(ObjectSourceError) -> any ObjectReader
}
