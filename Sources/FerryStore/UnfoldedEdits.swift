// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The unfolded edits of a class, in batches that can be folded one after another.
///
/// Folding reads the result of an edit from the row, which later edits have changed, too. So all edits
/// of a record belong to one batch. Memory holds a batch of edits at a time, and the local ids of
/// records that have several of them.
struct UnfoldedEdits {
  let className: String
  private let reader: any SyncReader
  private let start: HistoryToken
  private let isEmpty: Bool
  private var moved = MovedRecords()

  /// How many object ids are looked up at a time.
  private static let chunk = 500

  init(of className: String, in reader: any SyncReader) throws(StoreError) {
    self.className = className
    self.reader = reader
    start = try reader.foldedThrough()
    isEmpty = try reader.lastToken() <= start
    guard !isEmpty else { return }
    var removed: [(objectID: String, localIDs: [LocalID])] = []
    try reader.forEachLogPlace(of: className, after: start, .removals) {
      place throws(StoreError) in
      guard let objectID = place.goneObjectID else { return }
      if removed.last?.objectID == objectID {
        removed[removed.count - 1].localIDs.append(place.localID)
      } else {
        if removed.count >= Self.chunk { try note(&removed) }
        removed.append((objectID, [place.localID]))
      }
    }
    try note(&removed)
  }

  private mutating func note(_ removed: inout [(objectID: String, localIDs: [LocalID])])
    throws(StoreError)
  {
    let ids = removed.map(\.objectID)
    let owners = try reader.versions(of: className, objectIDs: ids)
    let entries = Dictionary(
      grouping: try reader.outboxEntries(of: className, objectIDs: ids), by: \.objectID)
    for (objectID, localIDs) in removed {
      moved.note(
        objectID, removed: localIDs, owner: owners[objectID]?.localID,
        entries: (entries[objectID] ?? []).map(\.localID))
    }
    removed = []
  }

  // MARK: - Batches

  /// Calls the closure with each batch: by local id, and at last records with several of them.
  ///
  /// - Parameters:
  ///   - selection: Which edits are read. For one row, only batches about it come, and edits of other rows are in them
  ///     if they are of the same record.
  ///   - size: How many edits are read at a time.
  ///   - body: Receives each batch.
  /// - Throws: `StoreError` if the store cannot be read, and what the closure throws.
  func forEachBatch(
    _ selection: LogSelection = .byRow, size: Int,
    _ body: (FoldedBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !isEmpty else { return }
    var batches = OpenBatch(of: className, after: start, size: size, in: reader)
    var apart: [LogPlace] = []
    let movedRow = selection.row.flatMap { moved.contains($0) ? $0 : nil }
    try reader.forEachLogPlace(of: className, after: start, movedRow == nil ? selection : .byRow) {
      place throws(StoreError) in
      if moved.contains(place.localID) {
        apart.append(place)
      } else if movedRow == nil {
        try batches.add(place, body)
      }
    }
    try batches.close(body)
    if let movedRow { apart.removeAll { moved.first(of: $0.localID) != moved.first(of: movedRow) } }
    let grouped = apart.map { (first: moved.first(of: $0.localID), place: $0) }
      .sorted { ($0.first, $0.place.token) < ($1.first, $1.place.token) }
    for group in grouped.chunked(size: size) {
      let rows = try reader.log(at: group.map(\.place.token))
      var batch = try FoldedBatch(of: className, rows, in: reader)
      try batch.fold(rows)
      try body(batch)
    }
  }

  /// Those of the class's stored entries that have no edits of a moved record.
  ///
  /// Folding moves the entry of a record that the app inserted again under another local id.
  func staying(_ entries: [OutboxEntry]) throws(StoreError) -> [OutboxEntry] {
    guard !isEmpty else { return entries }
    let owners = try reader.versions(of: className, objectIDs: entries.map(\.objectID))
    return entries.filter { entry in
      let owner = owners[entry.objectID]?.localID ?? entry.localID
      return owner == entry.localID && !moved.contains(entry.localID) && !moved.isElsewhere(entry)
    }
  }
}

/// The batch that is being read, row by row.
private struct OpenBatch {
  private let className: String
  private let start: HistoryToken
  private let size: Int
  private let reader: any SyncReader
  private var tokens: [HistoryToken] = []
  private var last: LocalID?
  /// The batch as far as it is folded, if its last row has more edits than are read at a time.
  private var continued: FoldedBatch?

  init(of className: String, after start: HistoryToken, size: Int, in reader: any SyncReader) {
    self.className = className
    self.start = start
    self.size = size
    self.reader = reader
  }

  mutating func add(
    _ place: LogPlace, _ body: (FoldedBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    if place.localID == last {
      if tokens.count >= size { try foldPart() }
    } else if continued != nil || tokens.count >= size {
      try close(body)
    }
    tokens.append(place.token)
    last = place.localID
  }

  mutating func close(_ body: (FoldedBatch) throws(StoreError) -> Void) throws(StoreError) {
    guard !tokens.isEmpty else { return }
    let rows = try reader.log(at: tokens)
    var batch: FoldedBatch
    if let continued {
      batch = continued
    } else {
      batch = try FoldedBatch(of: className, rows, in: reader)
    }
    try batch.fold(rows)
    tokens = []
    last = nil
    continued = nil
    try body(batch)
  }

  /// Folds what was read, since the last row goes on.
  private mutating func foldPart() throws(StoreError) {
    let rows = try reader.log(at: tokens)
    if continued == nil {
      continued = try FoldedBatch(of: className, rows, removals: removals(), in: reader)
    }
    try continued?.fold(rows)
    tokens = []
  }

  /// The removals of the last row: of consecutive ones under one object id, the first and the last.
  private func removals() throws(StoreError) -> [LogRow] {
    guard let last else { return [] }
    var runs: [(objectID: String, first: HistoryToken, last: HistoryToken)] = []
    try reader.forEachLogPlace(of: className, after: start, .row(last)) { place in
      guard let objectID = place.goneObjectID else { return }
      if runs.last?.objectID == objectID {
        runs[runs.count - 1].last = place.token
      } else {
        runs.append((objectID, place.token, place.token))
      }
    }
    return try reader.log(
      at: runs.flatMap { $0.first == $0.last ? [$0.first] : [$0.first, $0.last] })
  }
}

extension [(first: LocalID, place: LogPlace)] {
  /// Parts of at least a size, with all edits of a record in one part.
  fileprivate func chunked(size: Int) -> [Self] {
    var parts: [Self] = []
    for element in self {
      if let part = parts.last, let last = part.last,
        part.count < size || last.first == element.first
      {
        parts[parts.count - 1].append(element)
      } else {
        parts.append([element])
      }
    }
    return parts
  }
}
