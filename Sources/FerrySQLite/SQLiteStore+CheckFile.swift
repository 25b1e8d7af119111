// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryStore

extension SQLiteStore {
  /// Reads the whole file, and looks for damage.
  ///
  /// A store opens although some of its pages are damaged, and meets them when it reads them. This takes the time of
  /// reading the file: use it when something is wrong, not at each start. It changes nothing, and blocks the thread.
  /// It runs [`PRAGMA quick_check`](https://sqlite.org/pragma.html#pragma_quick_check) of SQLite.
  ///
  /// ```swift
  /// try store.checkFile()
  /// ```
  ///
  /// - Throws: `StoreError.Code.damaged` for a damaged file; `StoreError` if the file cannot be read.
  public func checkFile() throws(StoreError) {
    let finding = try readers.withConnection { connection throws(StoreError) in
      try connection.statement("PRAGMA quick_check(1)").first { $0.text(0) }
    }
    guard let finding, finding != "ok" else { return }
    throw StoreError(
      .damaged, "The store's file is damaged (\(finding)). \(SQLiteError.remedyForDamage)")
  }
}
