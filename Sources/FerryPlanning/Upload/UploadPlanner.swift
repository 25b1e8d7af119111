// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Decides what can be sent next and what must wait; a pure function of a page of the outbox.
///
/// Stages ask again page by page, because an acknowledgement gives a parent its id and thereby
/// frees its children. `CreateOrder` says when they go through the pages once more.
package struct UploadPlanner {
  /// A write to send.
  package struct Write: Equatable, Sendable {
    package var key: RecordKey
    /// Fields whose pointers have no target on the server yet; a later update sends them.
    package var withheld: Set<String> = []
    /// Whether it goes without other writes, because a batch with it failed.
    package var goesAlone = false
    /// The position of the app's last edit that the plan knows; nil where it does not matter.
    package var plannedThrough: HistoryToken?

    package init(
      key: RecordKey, withheld: Set<String> = [], goesAlone: Bool = false,
      plannedThrough: HistoryToken? = nil
    ) {
      self.key = key
      self.withheld = withheld
      self.goesAlone = goesAlone
      self.plannedThrough = plannedThrough
    }

    /// Whether the app edited the record after the plan, and it points to a record of this device now that the
    /// server may not have.
    ///
    /// - Parameters:
    ///   - entry: The unsent change now.
    ///   - record: Its row now.
    /// - Returns: Whether the write must be planned again.
    package func isOutdated(by entry: OutboxEntry, _ record: Record?) -> Bool {
      guard let plannedThrough, entry.foldedThrough > plannedThrough, let record else {
        return false
      }
      let sent = record.fields.only(entry.changed.subtracting(withheld))
      return !sent.mintedPointerIDs.isEmpty
    }
  }

  /// Writes that can be sent together, in any order; those that go alone come last.
  package struct Wave: Equatable, Sendable {
    package internal(set) var writes: [Write] = []
    /// Entries that cannot be sent, or only in part, with the state that explains it.
    package var stuck: [RecordKey: OutboxEntry.State] = [:]
    /// Creates that can be sent once this run has created other records, and those records.
    package var waiting: [RecordKey: [UnsentPointerTargets.Parent]] = [:]
    /// Changes that can be sent once this run has sent their new files, by field.
    package internal(set) var files: [RecordKey: [String: File]] = [:]
  }

  /// The rows of entries that still have one.
  private let records: [RecordKey: Record]
  private let due: [OutboxEntry]
  private let unnamed: UnsentPointerTargets
  private let unreadable: [RecordKey: UnreadableRemote]
  private let kept: [RecordKey: String]
  private let files: [RecordKey: [String: File]]
  private let now: Timestamp

  /// - Parameters:
  ///   - entries: Unsent changes, including those that send nothing in this run.
  ///   - targets: The unsent changes of the records that their rows point to, as far as there are any.
  ///   - records: The rows of the entries.
  ///   - held: Entries that must not be sent in this run: of classes whose import failed, or that are
  ///     not registered.
  ///   - dangling: Pointers to locally created records that are gone and that the server never had.
  ///   - former: Pointers that name a record by an id which the server replaced.
  ///   - unreadable: The server's values of records whose newest version cannot be imported, of entries and
  ///     targets.
  ///   - kept: The rules that keep rows of entries whose records are gone on the server.
  ///   - files: The new files in the fields that the entries send.
  ///   - now: The present time.
  package init(
    entries: [OutboxEntry], targets: [OutboxEntry] = [], records: [RecordKey: Record],
    held: Set<RecordKey> = [], dangling: Set<Pointer> = [],
    former: Set<Pointer> = [], unreadable: [RecordKey: UnreadableRemote] = [:],
    kept: [RecordKey: String] = [:], files: [RecordKey: [String: File]] = [:], at now: Timestamp
  ) {
    self.records = records
    self.kept = kept
    self.files = files
    self.now = now
    self.unreadable = unreadable
    func isDue(_ entry: OutboxEntry) -> Bool { !held.contains(entry.key) && entry.mayMove }
    due = entries.filter(isDue).sorted { $0.key < $1.key }
    // A record that cannot be read is there, and a pointer can name it.
    unnamed = UnsentPointerTargets(
      (entries + targets).filter { unreadable[$0.key] == nil },
      due: Set((due + targets.filter(isDue)).map(\.key)), dangling: dangling,
      former: former)
  }

  /// Creates whose parents have ids from the server.
  package func creates() -> Wave {
    var wave = Wave()
    for entry in due where entry.kind == .create {
      if let state = obstacle(of: entry) ?? unreadable[entry.key]?.state {
        wave.stuck[entry.key] = state
        continue
      }
      let fields = records[entry.key]?.fields.values ?? [:]
      let hasFiles = files[entry.key] != nil
      switch unnamed.obstacles(in: fields) {
      case .stuck(let state): wave.stuck[entry.key] = state
      case .none where hasFiles, .parents where hasFiles: wave.files[entry.key] = files[entry.key]
      case .none: wave.writes.append(Write(entry))
      case .parents(let found): wave.waiting[entry.key] = found
      }
    }
    spread(&wave.stuck, along: &wave.waiting)
    wave.sort()
    return wave
  }

  /// Updates, without the fields that cannot be sent now.
  ///
  /// A field waits that points to a record without an id, or of which the server holds another value that
  /// cannot be imported.
  package func updates() -> Wave {
    var wave = Wave()
    for entry in due where entry.kind == .update && !entry.changed.isEmpty {
      guard let record = records[entry.key] else { continue }
      if let state = obstacle(of: entry) {
        wave.stuck[entry.key] = state
        continue
      }
      if let files = files[entry.key] {
        wave.files[entry.key] = files
        continue
      }
      let changed = record.fields.only(entry.changed).values
      var waiting = unnamed.waiting(in: changed)
      if let remote = unreadable[entry.key] {
        for name in remote.conflicts(with: entry, local: record) { waiting[name] = remote.state }
      }
      if let first = waiting.min(by: { $0.key < $1.key }) { wave.stuck[entry.key] = first.value }
      if waiting.count < entry.changed.count {
        wave.writes.append(Write(entry, withheld: Set(waiting.keys)))
      }
    }
    wave.sort()
    return wave
  }

  /// Deletes of records that the server has, or may have.
  package func deletes() -> Wave {
    var wave = Wave()
    for entry in due where entry.kind == .delete {
      if let state = obstacle(of: entry) ?? unreadable[entry.key]?.state {
        wave.stuck[entry.key] = state
      } else {
        wave.writes.append(Write(entry))
      }
    }
    wave.sort()
    return wave
  }

  /// The state of a change whose row a rule keeps, or that pauses after failures; nil for others.
  private func obstacle(of entry: OutboxEntry) -> OutboxEntry.State? {
    if let rule = kept[entry.key] { return .blocked(by: .keptRow(rule)) }
    return entry.failures.pauseEnd(after: now).map { end in
      guard case .blocked(.newFile(let words, _)) = entry.state else {
        return .blocked(by: .backOff(until: end))
      }
      return .blocked(by: .newFile(words, until: end))
    }
  }

  /// Children of entries that cannot be sent wait, too, and say so.
  private func spread(
    _ stuck: inout [RecordKey: OutboxEntry.State],
    along parents: inout [RecordKey: [UnsentPointerTargets.Parent]]
  ) {
    var hasSpread = true
    while hasSpread {
      hasSpread = false
      for (child, needed) in parents.sorted(by: { $0.key < $1.key }) {
        guard let parent = needed.first(where: { stuck[$0.key] != nil }) else { continue }
        stuck[child] = .blocked(by: .record(Waiting(parent.key, field: parent.field)))
        parents[child] = nil
        hasSpread = true
      }
    }
  }
}

extension UploadPlanner.Wave {
  /// The writes of some records, and nothing else.
  package func writes(of keys: Set<RecordKey>) -> UploadPlanner.Wave {
    var wave = UploadPlanner.Wave()
    wave.writes = writes.filter { keys.contains($0.key) }
    return wave
  }

  /// Puts the writes that go alone behind the others: what ends the run with one of them then keeps
  /// no other.
  fileprivate mutating func sort() {
    guard writes.contains(where: \.goesAlone) else { return }
    writes = writes.filter { !$0.goesAlone } + writes.filter(\.goesAlone)
  }
}

extension UploadPlanner.Write {
  fileprivate init(_ entry: OutboxEntry, withheld: Set<String> = []) {
    self.init(
      key: entry.key, withheld: withheld, goesAlone: entry.failures.isShared,
      plannedThrough: entry.foldedThrough)
  }
}

extension Waiting {
  package init(_ key: RecordKey, field: String) {
    self.init(className: key.className, localID: key.localID, field: field)
  }
}
