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
      throw Failure(
        usage:
          "ferry \(name.rawValue) \(operand ?? "") needs --class NAME and --id ID, which name one record. Nothing "
          + "was changed.")
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
}
