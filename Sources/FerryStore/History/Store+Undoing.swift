// Ferry: offline-first sync for Parse Server. MIT licence.

extension Store {
  /// Takes back the last transaction of the app that is not undone.
  ///
  /// Each call goes one transaction further back, as far as history is kept. The undo is made of ordinary edits: the
  /// next sync sends them, observations see them, and `redo()` takes them back.
  ///
  /// Only values that are still as the transaction left them are taken back. A value that a sync or another program
  /// has changed since stays, and the result names it.
  ///
  /// ```swift
  /// try store.write { try $0.insert("Game", ["title": "Final"]) }
  /// if let result = try store.undo() {
  ///   print("\(result.undone.count) taken back, \(result.kept.count) kept")
  /// }
  /// ```
  ///
  /// Any program that writes by a store of Ferry's makes transactions of the app, the tool too. To undo one of several
  /// programs, keep the tokens of its transactions, and use `StoreTransaction.undo(_:)`.
  ///
  /// - Returns: The outcome; nil if there is no transaction to undo.
  /// - Throws: `StoreError` if the store cannot be read or written, or a rule of the database refuses a row. Then
  ///   nothing was undone.
  @discardableResult
  public func undo() throws(StoreError) -> UndoResult? {
    try write { transaction throws(StoreError) in
      try transaction.undoableTransaction().map { last throws(StoreError) in
        try transaction.undo(last)
      }
    }
  }

  /// Takes back the last undo, unless the app has edited since.
  ///
  /// ```swift
  /// try store.undo()
  /// try store.redo()
  /// ```
  ///
  /// - Returns: The outcome; nil if there is nothing to redo.
  /// - Throws: `StoreError`, as `undo()`.
  @discardableResult
  public func redo() throws(StoreError) -> UndoResult? {
    try write { transaction throws(StoreError) in
      try transaction.redoableTransaction().map { last throws(StoreError) in
        try transaction.undo(last)
      }
    }
  }

  /// Takes back the last transaction of the app, as the blocking form does, without a wait on the calling thread.
  ///
  /// - Returns: The outcome; nil if there is no transaction to undo.
  /// - Throws: `StoreError`, as the blocking form, and `CancellationError` if the task is cancelled before the commit.
  @discardableResult
  public func undo() async throws -> UndoResult? {
    try await syncAccess.store.accessQueue.run(.writing) { try self.undo() }
  }

  /// Takes back the last undo, as the blocking form does, without a wait on the calling thread.
  ///
  /// - Returns: The outcome; nil if there is nothing to redo.
  /// - Throws: `StoreError`, as the blocking form, and `CancellationError` if the task is cancelled before the commit.
  @discardableResult
  public func redo() async throws -> UndoResult? {
    try await syncAccess.store.accessQueue.run(.writing) { try self.redo() }
  }
}
