// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import Foundation

extension SyncCoordinator {
  /// Keeps bytes for a file field, and gives the value for it; needs no server.
  ///
  /// Write the value into a row afterwards. The bytes are on the disk for good when this returns, so a row never names
  /// bytes that a power failure took. The next sync sends them before the row, and the field then names the server's file.
  ///
  /// ```swift
  /// let image = try await coordinator.newFile(Data("…".utf8), name: "beach.jpg")
  /// try await store.write { db in
  ///   try db.insert("Photo", ["title": "Beach", "image": .file(image)])
  /// }
  /// print(coordinator.keptFile(image)?.path ?? "")
  /// ```
  ///
  /// Parse Server takes names of at most 128 letters without accents, digits, spaces and `@ . ~ _ -`. Ferry replaces each other
  /// sign by `_`, as the slash of a path, and shortens a name before its ending. Keep the title of a picture in a field of
  /// its own. Equal bytes are kept once, and equal bytes of one name are sent once.
  ///
  /// Any thread may call it, also during a sync.
  ///
  /// - Parameters:
  ///   - data: The bytes; at least one.
  ///   - name: A name with an ending, such as `beach.jpg`.
  ///   - type: The media type, such as `image/jpeg`; nil for that of the name's ending. Parse Server gives the file
  ///     the type of the ending, and storage services the one that is sent.
  /// - Returns: The value for the field.
  /// - Throws: `FileError`: `empty`, `tooLarge` beyond `SyncOptions.largestUpload`, `unusableType`, `diskFull` or
  ///   `localStorage`. Nothing was kept then.
  public func newFile(
    _ data: Data, name: String, type: String? = nil
  ) async throws(FileError) -> File {
    try await fileFetches.keep(name: name, type: type) { part, limit throws(FileError) in
      guard data.count <= limit else { throw .tooLargeToSend(FileName.mended(name), limit) }
      try part.add(data)
    }
  }

  /// Keeps a copy of a file on the disk for a file field, and gives the value for it; needs no server.
  ///
  /// The app may change or remove its file as soon as this returns. A large file needs little memory.
  /// `newFile(_:name:type:)` says what follows.
  ///
  /// ```swift
  /// let clip = try await coordinator.newFile(contentsOf: folder.appending(path: "trip.mov"))
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file to copy.
  ///   - name: A name with an ending; nil for that of the file.
  ///   - type: The media type; nil for that of the name's ending.
  /// - Returns: The value for the field.
  /// - Throws: `FileError`: the codes of `newFile(_:name:type:)`, and `localStorage` if the file cannot be read.
  public func newFile(
    contentsOf url: URL, name: String? = nil, type: String? = nil
  ) async throws(FileError) -> File {
    try await fileFetches.keep(name: name ?? url.lastPathComponent, type: type) {
      part, limit throws(FileError) in try part.add(contentsOf: url, limit: limit)
    }
  }
}
