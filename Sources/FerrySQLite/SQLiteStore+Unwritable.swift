// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation

// A store that may only be read. SQLite makes files beside a database that it reads, and cannot make them here.
extension SQLiteStore {
  /// Opens a copy of the store, which goes with this object.
  convenience init(copying files: StoreFiles, schema: Schema) throws(StoreError) {
    let copy = try Self.copy(ofUnwritable: files)
    let writer = try WriterQueue(path: copy.files.database)
    // Nobody can take the right to sync in such a folder, so that a plan takes that of the copy.
    self.init(
      try StoreOpening(schema, makesIndexes: false).run(on: writer), copy.files, writer,
      lockPath: copy.files.lock, isReadOnly: true, temporaryFolder: copy.folder, .live)
  }

  private static func copy(ofUnwritable files: StoreFiles) throws(StoreError) -> Copy {
    let uri = "file:" + URL(filePath: files.database).path(percentEncoded: true)
    guard let before = files.unopened else {
      do throws(StoreError) {
        return try copy(from: SQLiteConnection(path: uri, for: .copyingFrom))
      } catch {
        guard error.code == .notAccessible else { throw error }
        throw files.needsFolder(cause: error)
      }
    }
    // Without a log, no program has the database open. SQLite takes no locks then, and another program may begin to write.
    let copy = try copy(
      from: SQLiteConnection(path: uri + "?immutable=1", for: .copyingFrom))
    guard files.unopened == before else {
      throw StoreError(
        .busy,
        "Another program has written to the store \(files.database) while Ferry copied it for reading. Nothing "
          + "was changed. Try again.")
    }
    return copy
  }
}

extension StoreFiles {
  /// A state of the database file.
  fileprivate struct State: Equatable {
    var number: Int?
    var size: Int?
    var modified: Date?
  }

  /// Whether SQLite can make files beside the database, and write to it.
  var canBeWritten: Bool { access(database, W_OK) == 0 && access(folder, W_OK) == 0 }

  /// The state of the database file; nil while a log or a journal is beside it, or if it is gone.
  ///
  /// A program that opens the database makes a log, and the last one that closes it removes the log.
  fileprivate var unopened: State? {
    guard access(database + "-wal", F_OK) != 0, access(database + "-journal", F_OK) != 0 else {
      return nil
    }
    guard let facts = try? FileManager.default.attributesOfItem(atPath: database) else {
      return nil
    }
    return State(
      number: facts[.systemFileNumber] as? Int, size: facts[.size] as? Int,
      modified: facts[.modificationDate] as? Date)
  }

  fileprivate func needsFolder(cause: StoreError) -> StoreError {
    StoreError(
      .notAccessible,
      "The store \(database) has changes in a log beside it, which cannot be read because its folder may only be "
        + "read. Nothing was changed. Allow this user to write to the folder, or copy the database with its "
        + "-wal file to another folder and read it there.", cause: cause)
  }
}
