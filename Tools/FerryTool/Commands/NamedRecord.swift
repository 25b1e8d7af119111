// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A record that `--class` and `--id` name: by its local id, as `12` or `#12`, or by its object id.
struct NamedRecord: Sendable {
  var className: String
  var id: String

  /// The local id, if the text may be one; digits alone may be either id.
  var localID: LocalID? {
    let digits = id.hasPrefix("#") ? String(id.dropFirst()) : id
    return Int64(digits).flatMap { "\($0)" == digits ? LocalID(rawValue: $0) : nil }
  }

  func isNamed(by change: PendingChange) -> Bool { isNamed(change.localID, change.objectID) }

  func isNamed(by conflict: ConflictRecord) -> Bool {
    isNamed(conflict.record.localID, conflict.record.objectID)
  }

  /// Whether the id is one of these.
  private func isNamed(_ localID: LocalID, _ objectID: String?) -> Bool {
    localID == self.localID || objectID == id
  }

  /// The one change of the record.
  ///
  /// - Throws: A usage failure where there is none, or where the id names two records.
  func only(_ changes: [PendingChange]) throws(Failure) -> PendingChange {
    guard let change = changes.first else { throw nothingUnsent }
    try checkIsOne(changes.count)
    return change
  }

  /// - Throws: A usage failure where the id names several records.
  func checkIsOne(_ count: Int) throws(Failure) {
    guard count > 1 else { return }
    throw Failure(
      usage:
        "\(id.quoted) is the number of one row of \(className) and the object id of another. Nothing was changed. "
        + "Write #\(id) for the row with that number, and name the other row by its own number.")
  }

  var nothingUnsent: Failure {
    Failure(
      usage:
        "\(className) has no unsent change of a record \(id.quoted). Nothing was changed. \"ferry outbox\" lists "
        + "the unsent changes.")
  }
}

extension ParsedCommand {
  /// The record that the flags name.
  func namedRecord(_ configuration: SyncConfiguration) throws(Failure) -> NamedRecord {
    guard let id = value(.id), classNames.count == 1 else {
      let command = [name.rawValue, operand].compactMap(\.self).joined(separator: " ")
      throw Failure(
        usage:
          "ferry \(command) needs --class NAME and --id ID, which name one record. Nothing was changed."
      )
    }
    let known = configuration.schema.entities.map(\.name)
    guard known.contains(classNames[0]) else {
      throw Failure(usage: "class", classNames[0], notAmong: known, see: "ferry.json")
    }
    return NamedRecord(className: classNames[0], id: id)
  }
}

extension StoreInspection {
  /// The unsent changes that an id names.
  func pendingChanges(of name: NamedRecord) throws(StoreError) -> [PendingChange] {
    var found: [PendingChange] = []
    try forEachPendingChange(of: name.className) { change throws(StoreError) in
      if name.isNamed(by: change) { found.append(change) }
    }
    return found
  }

  /// The rows that an id names.
  func rows(of name: NamedRecord) throws(StoreError) -> [Record] {
    var found: [Record] = []
    if let localID = name.localID, let row = try rows.record(of: name.className, localID: localID) {
      found.append(row)
    }
    if let row = try rows.record(of: name.className, objectID: name.id),
      !found.contains(where: { $0.localID == row.localID })
    {
      found.append(row)
    }
    return found
  }

  /// The local ids of the rows and unsent changes that an id names.
  func localIDs(of name: NamedRecord) throws(StoreError) -> Set<LocalID> {
    Set(try rows(of: name).map(\.localID) + pendingChanges(of: name).map(\.localID))
  }

  /// The local ids that an id named in history, for a record that is gone.
  ///
  /// History knows the object ids of rows that the app has edited, and not of those that only syncs wrote.
  func formerLocalIDs(of name: NamedRecord) throws(StoreError) -> Set<LocalID> {
    let edited = try rows.changes(after: rows.historyExtent().prunedThrough, limit: .max)
      .filter { $0.className == name.className && $0.author == .app }
    let named = try rows.edits(of: edited).values.filter { $0.record.objectID == name.id }
    return Set(named.map(\.record.localID) + [name.localID].compactMap(\.self))
  }
}
