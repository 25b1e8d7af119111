// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryStore
public import Foundation

/// The file in which Parse's SDK for Apple platforms keeps its local datastore.
///
/// The SDK calls it `ParseOfflineStore`. It is an SQLite database with the tables `ParseObjects` and `Dependencies`, as
/// version 6.1.1 of the SDK makes it. It is opened to read only, and no other file is made.
///
/// ```swift
/// let old = ParseLocalDatastore(at: folder.appending(path: "ParseOfflineStore"))
/// let report = try await coordinator.importObjects(from: old)
/// ```
public struct ParseLocalDatastore: ObjectSource {
  /// The file.
  public let url: URL

  /// Names a file, which is opened when it is read.
  public init(at url: URL) { self.url = url }

  /// The path of the file.
  public var name: String { url.path(percentEncoded: false) }

  /// Reads the whole file, and looks for damage.
  ///
  /// - Throws: `ObjectSourceError` if the file is damaged, is no local datastore, or cannot be read.
  public func check() throws(ObjectSourceError) {
    try explaining { () throws(StoreError) in
      let finding = try open().statement("PRAGMA quick_check(1)").first { $0.text(0) }
      guard let finding, finding != "ok" else { return }
      throw StoreError(.damaged, finding)
    }
    _ = try makeReader()
  }

  /// A reader at the first object.
  ///
  /// - Throws: `ObjectSourceError` if the file is no local datastore, or cannot be read.
  public func makeReader() throws(ObjectSourceError) -> any ObjectReader {
    let connection = try explaining { () throws(StoreError) in
      let connection = try open()
      // All pages are of one view, whatever another program does meanwhile.
      try connection.begin(toWrite: false)
      return connection
    }
    let columns = try explaining { () throws(StoreError) in
      try connection.statement("SELECT name FROM pragma_table_info('ParseObjects')")
        .rows { $0.text(0) }
    }
    guard Set(columns).isSuperset(of: LocalDatastoreReader.columns) else {
      throw ObjectSourceError(
        .otherKind,
        "\(name) is no local datastore of Parse's SDK: it has no table ParseObjects with the columns "
          + "\(LocalDatastoreReader.columns.joined(separator: ", ")). Nothing was imported. Name the file ParseOfflineStore."
      )
    }
    return try explaining { () throws(StoreError) in
      try LocalDatastoreReader(connection, of: self)
    }
  }

  private func open() throws(StoreError) -> SQLiteConnection {
    let path = url.resolvingSymlinksInPath().path(percentEncoded: true)
    return try SQLiteConnection(path: "file:" + path + "?mode=ro", for: .copyingFrom)
  }

  /// Reads, and says an error of SQLite as one of the source.
  func explaining<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(ObjectSourceError) -> Result {
    do {
      return try body()
    } catch {
      throw explained(error)
    }
  }

  private func explained(_ error: StoreError) -> ObjectSourceError {
    let reason = (error.cause as? SQLiteError)?.message ?? error.message
    let cause = error
    switch error.code {
    case .damaged:
      return ObjectSourceError(
        .damaged,
        "\(name) is damaged, or is no database (\(reason)). It was not changed. Use a backup of the file, or let sqlite3 "
          + "make a new one of what can be read: .recover", cause: cause)
    case .busy:
      return ObjectSourceError(
        .busy,
        "Another program writes to \(name). The file was not changed. End the app that uses it, and try again.",
        cause: cause)
    default:
      return ObjectSourceError(
        .notAccessible,
        "\(name) cannot be read (\(reason)). It was not changed. Check the path and the permissions. If an app ended while "
          + "it wrote, open a copy of the file and of \(url.lastPathComponent)-journal with sqlite3 once, and use the copy.",
        cause: cause)
    }
  }
}
