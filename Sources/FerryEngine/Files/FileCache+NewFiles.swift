// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import Foundation

extension FileCache {
  /// Keeps bytes for a field, for a program without a coordinator; blocks the calling thread.
  ///
  /// `SyncCoordinator.newFile(_:name:type:)` says more. The size has no limit here, so the sync that sends the file
  /// compares it with `SyncOptions.largestUpload`.
  ///
  /// ```swift
  /// let cache = FileCache(at: folder.appending(path: "files"))
  /// let note = try cache.newFile(Data("…".utf8), name: "note.txt")
  /// ```
  ///
  /// - Parameters:
  ///   - data: The bytes; at least one.
  ///   - name: A name with an ending.
  ///   - type: The media type; nil for that of the name's ending.
  /// - Returns: The value for the field.
  /// - Throws: `FileError`.
  public func newFile(
    _ data: Data, name: String, type: String? = nil
  ) throws(FileError) -> File {
    File(
      try folder.keep(name: name, type: type, limit: .max, writing: Self.write) {
        part throws(FileError) in try part.add(data)
      })
  }

  /// Keeps a copy of a file for a field, for a program without a coordinator; blocks the calling thread.
  ///
  /// ```swift
  /// let cache = FileCache(at: folder.appending(path: "files"))
  /// let image = try cache.newFile(contentsOf: folder.appending(path: "beach.jpg"))
  /// try await store.write { db in try db.insert("Photo", ["image": .file(image)]) }
  /// ```
  ///
  /// `SyncCoordinator.newFile(contentsOf:name:type:)` says more. The size has no limit here, so the sync that sends the file
  /// compares it with `SyncOptions.largestUpload`.
  ///
  /// - Parameters:
  ///   - url: The file to copy.
  ///   - name: The name; nil for that of the file.
  ///   - type: The media type; nil for that of the name's ending.
  /// - Returns: The value for the field.
  /// - Throws: `FileError`.
  public func newFile(
    contentsOf url: URL, name: String? = nil, type: String? = nil
  ) throws(FileError) -> File {
    let limit = Int.max
    return File(
      try folder.keep(
        name: name ?? url.lastPathComponent, type: type, limit: limit,
        writing: Self.write
      ) { part throws(FileError) in try part.add(contentsOf: url, limit: limit) })
  }

  private static let write: FileWrite = { Foundation.write($0, $1.baseAddress, $1.count) }
}
