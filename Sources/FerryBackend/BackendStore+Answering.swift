// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
import Foundation

extension BackendStore {
  /// Answers a question about the rows of a query, after they have come from the server as far as needed.
  ///
  /// Use it for questions that have no method of their own. The closure may read all that the query and `fields` name.
  ///
  /// ```swift
  /// let rome = Query("Photo", where: .field("album.name", .equal, "Rome"))
  /// let answer = try await backend.answer(rome, reading: ["album.name"]) { db in
  ///   try db.distinctValues(of: "album.name", in: rome)
  /// }
  /// ```
  ///
  /// Equal queries at the same time share one question to the server. If the awaiting task is cancelled, the wait ends, and
  /// the question as well if no other caller waits for it.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - fields: Fields that the closure reads behind pointers, such as `album.name`.
  ///   - freshness: How new the answer must be.
  ///   - name: The name of the result; nil for one that follows from the query. With a name, a result replaces the one that
  ///     an earlier query had under it.
  ///   - body: Reads the answer from the store.
  /// - Returns: The answer.
  /// - Throws: `StoreError` for a query that cannot be carried out, what the closure throws, and `CancellationError`. A
  ///   `SyncError` if the server can be reached and refuses, such as `loginNeeded` or `queryRefused`. Then the store has
  ///   lost nothing, and `.local` still answers.
  public func answer<Value: Sendable>(
    _ query: Query, reading fields: [String] = [], freshness: Freshness = .within(.seconds(300)),
    named name: String? = nil, _ body: @escaping @Sendable (any StoreReader) throws -> Value
  ) async throws -> BackendAnswer<Value> {
    let isEmpty = try await hasNoRow(query, fields)
    guard query.limit.map({ $0 > 0 }) ?? true,
      OnDemandParts(schema: schema).concern(query, reading: fields)
    else {
      return BackendAnswer(
        value: try await store.read(body), origin: .store, isComplete: true)
    }
    let question = QuestionText.text(of: query, reading: fields)
    let name = name ?? question
    results.pin(name)
    defer { results.unpin(name) }
    let look = try await look(for: results.note(of: question, named: name))
    if look.hasRows { results.found(name, for: question, at: look.token) }
    var origin = BackendAnswer<Value>.Origin.store
    var failure: SyncError?
    switch results.need(
      for: question, named: name, freshness, lacksRows: isEmpty || !look.hasRows,
      token: look.token, at: now())
    {
    case .nothing: break
    case .waiting(let error): failure = error
    case .server:
      do {
        try await ask(query, reading: fields, question, named: name)
        origin = .server
      } catch let error as SyncError where error.isOffline {
        failure = error
      }
    }
    let value = try await store.read(body)
    let note = results.use(name, for: question)
    return BackendAnswer(
      value: value, origin: origin, askedAt: note?.askedAt,
      isComplete: note?.isComplete == true && (origin == .server || look.hasRows),
      failure: failure)
  }

  /// Looks for a first row; a query that cannot be carried out ends here, before the server is asked.
  private func hasNoRow(_ query: Query, _ fields: [String]) async throws -> Bool {
    var first = query
    first.limit = min(max(query.limit ?? 1, 0), 1)
    return try await store.read { [first] db in
      try db.values(of: fields + ["objectId"], in: first).isEmpty
    }
  }

  private struct Look: Sendable {
    /// The newest position in history.
    var token: Int64
    /// Whether the store has all rows of the result, but for those that the app has deleted.
    var hasRows = true
  }

  /// Looks whether the rows of a result are still there: the app, or another store above this one, may have evicted some.
  private func look(for result: KeptResult?) async throws -> Look {
    try await store.inspect { store in
      var look = Look(token: try store.rows.lastToken().rawValue)
      guard let result, result.token != look.token else { return look }
      var missing = result.rows.subtracting(
        try RowName.references(of: result.rows, in: store.rows).map { RowName($0) })
      for className in Set(missing.map(\.className)) {
        try store.forEachPendingChange(of: className) { change in
          if let objectID = change.objectID { missing.remove(RowName(className, objectID)) }
        }
      }
      look.hasRows = missing.isEmpty
      return look
    }
  }

  /// Asks the server, shared with equal questions, and keeps the result.
  private func ask(
    _ query: Query, reading fields: [String], _ question: String, named name: String
  ) async throws {
    do {
      try await questions.ask("\(name)\n\(question)") { [self] in
        try await carryOut(query, reading: fields, question, named: name)
      }
    } catch let error as SyncError {
      if error.code == .cancelled { throw CancellationError() }
      if error.isOffline { results.note(error, at: now()) }
      throw error
    }
  }

  private func carryOut(
    _ query: Query, reading fields: [String], _ question: String, named name: String
  ) async throws {
    let askedAt = now()
    var bringing = Bringing(
      store: store, coordinator: coordinator, limit: limit, timeout: timeout)
    try await bringing.bring(query, reading: fields)
    // Records in quarantine have no row, and the app may have deleted others.
    let (token, rows) = try await store.read { [shown = bringing.rows] db in
      (
        try db.lastToken().rawValue,
        Set(try RowName.references(of: shown, in: db).map { RowName($0) })
      )
    }
    results.keep(
      KeptResult(
        question: question, askedAt: askedAt, isComplete: bringing.isComplete, token: token,
        rows: rows), named: name)
    try await shrink()
    results.save()
  }

  /// Evicts rows of the results that were used least recently, as far as there are too many.
  private func shrink() async throws {
    // Among the rows are some that no result has: the app has made, or fetched, them by itself.
    let present = try await store.read { [size] db in
      try RowName.count(in: db) > size ? try RowName.all(in: db) : []
    }
    let leaving = results.leaving(of: present, size: size)
    guard !leaving.isEmpty else { return }
    try await coordinator.evict(
      store.read { db in try RowName.references(of: leaving, in: db) })
  }
}

extension SyncError {
  /// Whether the server could not be asked now, so that the store answers alone.
  var isOffline: Bool { [.unreachable, .tryAgain, .busy].contains(code) }
}
