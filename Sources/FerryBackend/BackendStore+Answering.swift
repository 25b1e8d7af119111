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
    let state = try await localState(of: query, fields)
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
    var origin = BackendAnswer<Value>.Origin.store
    var failure: SyncError?
    switch results.need(
      for: question, named: name, freshness, isEmpty: state.isEmpty, token: state.token, at: now())
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
      value: value, origin: origin, askedAt: note?.askedAt, isComplete: note?.isComplete ?? false,
      failure: failure)
  }

  private struct LocalState: Sendable {
    var isEmpty: Bool
    /// The newest position in history.
    var token: Int64
  }

  /// Looks for a first row; a query that cannot be carried out ends here, before the server is asked.
  private func localState(of query: Query, _ fields: [String]) async throws -> LocalState {
    var first = query
    first.limit = min(max(query.limit ?? 1, 0), 1)
    return try await store.read { [first] db in
      let names = fields + ["objectId"]
      let isEmpty = try db.values(of: names, in: first).isEmpty
      return LocalState(isEmpty: isEmpty, token: try db.lastToken().rawValue)
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
    let token = try await store.read { try $0.lastToken().rawValue }
    results.keep(
      KeptResult(
        question: question, askedAt: askedAt, isComplete: bringing.isComplete, token: token,
        rows: bringing.rows), named: name)
    try await shrink()
    results.save()
  }

  /// Evicts rows of the results that were used least recently, as far as there are too many.
  private func shrink() async throws {
    if results.areNew {
      let known = try await store.read { db in try RowName.all(in: db) }
      results.adopt(known)
    }
    let leaving = results.leaving(size: size)
    guard !leaving.isEmpty else { return }
    let rows = try await store.read { db in try RowName.references(of: leaving, in: db) }
    let report = try await coordinator.evict(rows)
    results.left(leaving, except: report.kept.map(RowName.init))
  }
}

extension SyncError {
  /// Whether the server could not be asked now, so that the store answers alone.
  var isOffline: Bool { [.unreachable, .tryAgain, .busy].contains(code) }
}
