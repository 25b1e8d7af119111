// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning
public import Observation

/// The rows of a query as they were when the app last looked, with the unsaved edits of the app on top.
///
/// A snapshot stays as it is while the app shows it, whatever syncs and other programs write. `merge()` brings it up
/// to date, and says what changed. Edits in a snapshot are not in the store until `save()` writes them, in one
/// transaction. A form with a Cancel button edits a snapshot of one row.
///
/// ```swift
/// let games = try await store.snapshot(of: Query("Game", orderedBy: .ascending("title")))
/// if let first = await games.rows.first {
///   try await games.update(first.localID, ["title": "Final"])
///   try await games.merge()  // The edit stays on top.
///   try await games.save()
/// }
/// ```
///
/// A value that others have changed since the app saw it is never overwritten unseen: `save()` throws, writes nothing,
/// and `conflicts` names the values. Only the edited values are compared and written. To keep a snapshot current, call
/// `merge()` for each element of `Store.observe(_:)`.
///
/// The main actor owns it, and views that read `rows` or `conflicts` follow them. It keeps its rows in memory, and its
/// store open. It holds no transaction of the database, so it may live as long as the app.
@MainActor @Observable
public final class Snapshot {
  /// The query whose rows it has.
  public nonisolated let query: Query

  /// The last change of the newest save that changed anything; nil before one.
  ///
  /// `Store.undo()` takes back the last transaction of any writer. With this token the app finds the save itself, and
  /// takes back that transaction, as the article "History" shows.
  public private(set) var savedToken: HistoryToken?

  @ObservationIgnored private let store: any Store
  private var state = SnapshotState()
  /// The number of merges and saves; a view that was read before another one is out of date.
  @ObservationIgnored private var generation = 0
  /// The outcome of the save that is under way.
  @ObservationIgnored private var outcome: SnapshotOutcome?

  /// Reads the rows of a query; `Store.snapshot(of:)` is the same.
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out, and if the store cannot be read.
  public init(_ query: Query, in store: any Store) throws(StoreError) {
    (self.query, self.store) = (query, store)
    state.merge(try Self.view(of: query, [:], in: store.syncAccess.store))
  }

  /// Reads the rows of a query without a wait on the calling thread; `Store.snapshot(of:)` is the same.
  ///
  /// - Throws: `StoreError`, as the blocking form, and `CancellationError` if the task is cancelled.
  public init(_ query: Query, in store: any Store) async throws {
    (self.query, self.store) = (query, store)
    state.merge(try await newView())
  }

  // MARK: reading

  /// The rows: those of the last merge in the order of the query, with the unsaved edits.
  ///
  /// A row that the app has deleted is left out. Edited rows that no longer belong to the query come next, and new rows
  /// last. An edit moves no row. While there are edits, each access makes the list; so keep it in a constant.
  public var rows: [Record] { state.rows }

  /// The rows as values of a type.
  ///
  /// - Throws: `StoreError` for a row that the type cannot hold.
  public func rows<Entity: SyncEntity>(as type: Entity.Type) throws(StoreError) -> [Entity] {
    try checkClass(of: type)
    return try rows.map { row throws(StoreError) in try type.init(reading: row) }
  }

  /// The row with a local id, or with the id that `insert(_:)` gave, as the snapshot shows it; nil for none.
  public func row(_ localID: LocalID) -> Record? { state.row(localID) }

  /// Whether a save is under way.
  public var isSaving: Bool { state.saving != nil }

  /// Whether the app has edits to save.
  public var hasUnsavedEdits: Bool { !state.edits.isEmpty }

  /// The edits that meet changes of others, as far as the last merge or the last attempt to save has seen them.
  public var conflicts: [SnapshotConflict] { state.conflicts }

  // MARK: editing

  /// Adds a row that the next save inserts.
  ///
  /// A pointer cannot lead to it before it is saved.
  ///
  /// - Parameter fields: Declared fields; missing fields get their defaults.
  /// - Returns: The id of the row in this snapshot, a negative number. `save()` tells the row's name in the store. Until
  ///   the snapshot is gone, its calls take either id.
  /// - Throws: `StoreError` for a field that is not registered, and for a value that it cannot hold.
  @discardableResult
  public func insert(_ fields: Fields) throws(StoreError) -> LocalID {
    let entity = try store.schema.registered(query.className)
    let values = entity.initialFields.only(Set(entity.valueNames)).merging(
      try entity.normalized(fields))
    return state.insert(values, in: query.className)
  }

  /// Changes fields of a row; `.null` clears a field.
  ///
  /// - Throws: `StoreError` as `insert(_:)`, and with code `noSuchRecord` if the snapshot shows no such row.
  public func update(_ localID: LocalID, _ fields: Fields) throws(StoreError) {
    let values = try store.schema.registered(query.className).normalized(fields)
    guard state.update(localID, values) else { throw notShown(localID) }
  }

  /// Changes the fields of a row in which two values of a type differ; a nil property clears its field.
  ///
  /// ```swift
  /// let games = try await store.snapshot(of: Query("Game"))
  /// if let original = try await games.rows(as: Game.self).first {
  ///   var game = original
  ///   game.title = "Final"
  ///   try await games.update(game, from: original)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The edited value.
  ///   - original: The value as the app read it. A merge since may have brought others' values of fields that the app has
  ///     not edited; they stay.
  /// - Throws: `StoreError`, as `update(_:_:)`, and with code `wrongType` for a type of another class.
  public func update<Entity: SyncEntity>(
    _ entity: Entity, from original: Entity
  ) throws(StoreError) {
    try checkClass(of: Entity.self)
    let (fields, former) = (try entity.writtenFields(), try original.writtenFields())
    let changed = fields.difference(from: former)
    try update(
      entity.id,
      Fields(Dictionary(uniqueKeysWithValues: changed.map { ($0, fields[$0] ?? .null) })))
  }

  /// Deletes a row, once the snapshot is saved.
  ///
  /// - Throws: `StoreError` with code `noSuchRecord` if the snapshot shows no such row.
  public func delete(_ localID: LocalID) throws(StoreError) {
    guard state.delete(localID) else { throw notShown(localID) }
  }

  /// Drops the unsaved edits of a row.
  ///
  /// A save that is under way writes them all the same.
  public func revert(_ localID: LocalID) { state.revert(localID) }

  /// Drops all unsaved edits, as a Cancel button does.
  public func revertAll() { state.revertAll() }

  /// Settles a conflict.
  ///
  /// An edit of a row that is gone, if kept, makes a new row with the values that the app saw.
  ///
  /// ```swift
  /// let games = try await store.snapshot(of: Query("Game"))
  /// for conflict in await games.conflicts {
  ///   await games.resolve(conflict, keeping: .stored)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - conflict: One of `conflicts`.
  ///   - side: The side that stays.
  /// - Returns: Whether the conflict was there. A later merge may have found another value in the store; then nothing is
  ///   settled, and `conflicts` has the new one.
  @discardableResult
  public func resolve(
    _ conflict: SnapshotConflict, keeping side: SnapshotConflict.Side
  ) -> Bool {
    state.resolve(conflict, keeping: side)
  }

  private func checkClass<Entity: SyncEntity>(of type: Entity.Type) throws(StoreError) {
    guard type.className != query.className else { return }
    throw StoreError(
      .wrongType,
      "The snapshot has rows of \(query.className), and \(type) is for rows of \(type.className). So nothing was read or "
        + "changed. Use a type of \(query.className).")
  }

  private func notShown(_ localID: LocalID) -> StoreError {
    StoreError(
      .noSuchRecord,
      "The snapshot of \(query.className) shows no row with the local id \(localID), so nothing was changed. The row may "
        + "be deleted, or not belong to the query; merge the snapshot, or make one with another query."
    )
  }

  // MARK: merging

  /// Reads the rows of the query afresh; unsaved edits stay on top.
  ///
  /// An edited value that others have changed since the app saw it becomes one of `conflicts`. An edit that the store has
  /// already is dropped.
  ///
  /// - Returns: The changes for a list view, from the rows before to the rows after.
  /// - Throws: `StoreError` if the store cannot be read. Then the snapshot is as it was.
  @discardableResult
  public func merge() throws(StoreError) -> ListDifference {
    let view = try Self.view(of: query, state.edits, in: store.syncAccess.store)
    return merge(view)
  }

  /// Reads the rows of the query afresh, as the blocking form does, without a wait on the calling thread.
  ///
  /// The app may edit meanwhile.
  ///
  /// - Returns: The changes for a list view, from the rows before to the rows after.
  /// - Throws: `StoreError` if the store cannot be read, and `CancellationError` if the task is cancelled.
  @discardableResult
  public func merge() async throws -> ListDifference {
    while true {
      let generation = generation
      let view = try await newView()
      // A save or another merge may have come first.
      if generation == self.generation { return merge(view) }
    }
  }

  private func merge(_ view: SnapshotView) -> ListDifference {
    generation += 1
    var merged = state
    merged.merge(view, after: outcome?.saving)
    let difference = ListDifference(from: rows, to: merged.rows, identifiedBy: \.localID)
    // Views are not drawn anew without a reason.
    if merged != state { state = merged }
    return difference
  }

  private func newView() async throws -> SnapshotView {
    let (query, edits, store) = (query, state.edits, store.syncAccess.store)
    return try await store.accessQueue.run(.reading) { try Self.view(of: query, edits, in: store) }
  }

  private nonisolated static func view(
    of query: Query, _ edits: [LocalID: SnapshotEdit], in store: any SyncStore
  ) throws(StoreError) -> SnapshotView {
    try store.syncRead { reader throws(StoreError) in
      try SnapshotView(of: query, and: edits, from: reader)
    }
  }

  // MARK: saving

  /// Writes the unsaved edits in one transaction, unless others have changed one of these values since the app saw it.
  ///
  /// The rows stay as the app shows them; changes of others come with the next merge. `Store.undo()` takes the whole save
  /// back.
  ///
  /// - Returns: The names of the inserted rows, by the ids that `insert(_:)` gave. A kept edit of a row that is gone
  ///   inserts a row, too, by the id of the gone one.
  /// - Throws: `StoreError` with code `snapshotConflict` if values were changed; with code `busy` while another save of
  ///   this snapshot is under way; as `StoreTransaction` for a row that the store refuses. Then nothing was written, and
  ///   the edits stay.
  @discardableResult
  public func save() throws(StoreError) -> [LocalID: RecordReference] {
    guard hasUnsavedEdits else { return [:] }
    let edits = try beginSaving()
    defer { endSaving() }
    let className = query.className
    let saving = try store.write { transaction throws(StoreError) in
      try SnapshotSaving(edits, of: className, in: transaction)
    }
    return try conclude(saving)
  }

  /// Writes the unsaved edits, as the blocking form does, without a wait on the calling thread.
  ///
  /// The app may edit meanwhile; such edits stay unsaved.
  ///
  /// - Returns: The names of the inserted rows, by the ids that `insert(_:)` gave.
  /// - Throws: `StoreError`, as the blocking form, and `CancellationError` if the task is cancelled before the commit.
  @discardableResult
  public func save() async throws -> [LocalID: RecordReference] {
    guard hasUnsavedEdits else { return [:] }
    let edits = try beginSaving()
    defer { endSaving() }
    let className = query.className
    let outcome = SnapshotOutcome()
    self.outcome = outcome
    defer { self.outcome = nil }
    let saving = try await store.write { transaction in
      outcome.note(try SnapshotSaving(edits, of: className, in: transaction))
    }
    return try conclude(saving)
  }

  private func beginSaving() throws(StoreError) -> [LocalID: SnapshotEdit] {
    guard !isSaving else {
      throw StoreError(
        .busy,
        "This snapshot is being saved already, so this call wrote nothing. The edits stay; save again when that save "
          + "has returned.")
    }
    return state.beginSaving()
  }

  /// Ends a save that did not come to a conclusion.
  private func endSaving() { if isSaving { state.abandonSaving() } }

  private func conclude(
    _ saving: SnapshotSaving
  ) throws(StoreError) -> [LocalID: RecordReference] {
    generation += 1
    state.conclude(saving)
    guard !saving.isRefused else { throw refused(state.conflicts) }
    savedToken = saving.token ?? savedToken
    return saving.inserted
  }

  /// The refusal of a save, with the first rows and fields that are in its way.
  private func refused(_ conflicts: [SnapshotConflict]) -> StoreError {
    let places = conflicts.prefix(3).map { conflict in
      let row = "\(query.className) #\(conflict.row.localID)"
      guard let field = conflict.field else {
        return row + (conflict.stored == nil ? ", which is gone" : ", which the edit deletes")
      }
      return "\(field) of \(row)"
    }
    let more = conflicts.count > places.count ? "; \(conflicts.count - places.count) more" : ""
    return StoreError(
      .snapshotConflict,
      "Others have changed what the app edited since it read the rows: "
        + "\(places.joined(separator: "; "))\(more). Nothing was saved, and the edits stay. Resolve the snapshot's "
        + "conflicts, and save again.")
  }
}
