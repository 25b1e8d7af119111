// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What may be sent next, and what has to wait for what: a pure decision over the outbox.
///
/// Stages ask again after each wave, because an acknowledgement changes what is possible: it names
/// a parent, and with that frees its children.
package struct UploadPlanner {
  /// A write to be sent.
  package struct Write: Equatable, Sendable {
    package var key: RecordKey
    /// Fields whose pointers have no target on the server yet; a later update sends them.
    package var withheld: Set<String> = []

    package init(key: RecordKey, withheld: Set<String> = []) {
      self.key = key
      self.withheld = withheld
    }
  }

  /// What can be sent together, in any order.
  package struct Wave: Equatable, Sendable {
    package var writes: [Write] = []
    /// Entries that cannot move, or not whole, with the state that says why.
    package var stuck: [RecordKey: OutboxEntry.State] = [:]
  }

  /// The rows that entries are about, for those that still have one.
  private let records: [RecordKey: Record]
  private let due: [OutboxEntry]
  private let unnamed: UnsentPointerTargets

  /// - Parameters:
  ///   - entries: The unsent changes of all classes, also of those that send nothing in this run.
  ///   - records: The rows they are about.
  ///   - held: Entries that must not be sent: of classes whose import failed, or over a version that
  ///     could not be imported.
  ///   - dangling: Pointers to records made here that are gone, and that the server never had.
  ///   - now: The present, by the environment's clock.
  package init(
    entries: [OutboxEntry], records: [RecordKey: Record], held: Set<RecordKey> = [],
    dangling: Set<Pointer> = [], now: Timestamp
  ) {
    self.records = records
    due = entries.filter { !held.contains($0.key) && $0.isDue(at: now) && $0.mayMove }
      .sorted { $0.key < $1.key }
    unnamed = UnsentPointerTargets(entries, due: Set(due.map(\.key)), dangling: dangling)
  }

  /// Creates whose parents the server has named; where only cycles are left, one that opens a cycle.
  package func creates() -> Wave {
    var wave = Wave()
    var parents: [RecordKey: [UnsentPointerTargets.Parent]] = [:]
    for entry in due where entry.kind == .create {
      let fields = records[entry.key]?.fields.values ?? [:]
      switch unnamed.obstacles(in: fields) {
      case .none: wave.writes.append(Write(key: entry.key))
      case .stuck(let state): wave.stuck[entry.key] = state
      case .parents(let found): parents[entry.key] = found
      }
    }
    spread(&wave.stuck, along: &parents)
    if wave.writes.isEmpty, let opener = Cycles.opener(of: parents) {
      wave.writes = [Write(key: opener, withheld: Set((parents[opener] ?? []).map(\.field)))]
    }
    return wave
  }

  /// Updates; a field that points to a record without an id waits, the others go.
  package func updates() -> Wave {
    var wave = Wave()
    for entry in due where entry.kind == .update && !entry.changed.isEmpty {
      guard let record = records[entry.key] else { continue }
      let changed = record.fields.only(entry.changed).values
      let waiting = unnamed.waiting(in: changed)
      if let first = waiting.min(by: { $0.key < $1.key }) { wave.stuck[entry.key] = first.value }
      if waiting.count < entry.changed.count {
        wave.writes.append(Write(key: entry.key, withheld: Set(waiting.keys)))
      }
    }
    return wave
  }

  /// Deletes of records that the server has, or may have.
  package func deletes() -> Wave {
    Wave(writes: due.filter { $0.kind == .delete }.map { Write(key: $0.key) })
  }

  /// Children of what is stuck are stuck behind it, and say so.
  private func spread(
    _ stuck: inout [RecordKey: OutboxEntry.State],
    along parents: inout [RecordKey: [UnsentPointerTargets.Parent]]
  ) {
    var hasSpread = true
    while hasSpread {
      hasSpread = false
      for (child, needed) in parents.sorted(by: { $0.key < $1.key }) {
        guard let parent = needed.first(where: { stuck[$0.key] != nil }) else { continue }
        stuck[child] = .blocked(by: Waiting(parent.key, field: parent.field))
        parents[child] = nil
        hasSpread = true
      }
    }
  }
}

extension OutboxEntry {
  /// Whether its state lets it be sent; being blocked is found out anew each time.
  package var mayMove: Bool {
    switch state {
    case .ready, .blocked: true
    case .sending, .unknown, .parked, .confirming: false
    }
  }
}

extension Waiting {
  package init(_ key: RecordKey, field: String) {
    self.init(className: key.className, localID: key.localID, field: field)
  }
}
