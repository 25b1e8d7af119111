// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry quarantine`: the server's records that could not be imported; on demand, lets the next sync try them again.
struct QuarantineCommand {
  /// The work on the records.
  enum Action: String, CaseIterable, Sendable {
    case list, show, retry
  }

  var session: Session

  func run() throws(Failure) -> ExitCode {
    switch session.command.quarantineAction {
    case .list: return try list()
    case .show: return try show()
    case .retry: return try retry()
    }
  }

  private func list() throws(Failure) -> ExitCode {
    guard !session.command.has(.id), !session.command.has(.all) else {
      throw Failure(
        usage:
          "ferry quarantine list takes --class only. \"ferry quarantine show\" shows one record.")
    }
    let configuration = try session.configuration()
    // Without a name, also those of classes that ferry.json has left out since.
    let names: [String?] =
      session.command.has(.className) ? try session.classNames(configuration) : [nil]
    var records: [QuarantinedRecord] = []
    try session.inspect(configuration) { store throws(StoreError) in
      for name in names { records += try store.rows.quarantine(of: name) }
    }
    for record in records {
      let text = QuarantineText(record: record)
      session.console.message(text.json)
      session.console.result(text.line)
    }
    session.console.message(JSONMessage("summary", ["records": .count(records.count)]))
    if records.isEmpty { session.console.result("Nothing is in quarantine.") }
    return .success
  }

  /// One record, with the server's own JSON.
  private func show() throws(Failure) -> ExitCode {
    let name = try session.command.namedRecord(session.configuration())
    var record: QuarantinedRecord?
    try session.inspect(session.configuration()) { store throws(StoreError) in
      record = try store.rows.quarantinedRecord(of: name.className, objectID: name.id)
    }
    guard let record else { throw .notInQuarantine(name) }
    let text = QuarantineText(record: record)
    session.console.message(text.jsonWithRecord)
    session.console.result(text.linesWithRecord.joined(separator: "\n"))
    return .success
  }

  private func retry() throws(Failure) -> ExitCode {
    let command = session.command
    guard command.has(.all) != command.has(.id) else {
      throw Failure(
        usage:
          "ferry quarantine retry takes --class NAME --id ID for one record, or --all for all of them, or --all --class "
          + "NAME for those of a class. Nothing was changed.")
    }
    let configuration = try session.configuration()
    let name = command.has(.id) ? try command.namedRecord(configuration) : nil
    let classNames = try session.classNames(configuration)
    guard session.hasStore else {
      if let name { throw .notInQuarantine(name) }
      return tell(0, of: 0)
    }
    let store = try session.writableStore(configuration, in: session.workspace)
    let (total, count) = try inStore { () throws(StoreError) in
      if let name { try retry(name, in: store) } else { try retry(classNames, in: store) }
    }
    if let name, total == 0 { throw .notInQuarantine(name) }
    return tell(count, of: total)
  }

  /// - Returns: The number of records that the name means, and of those that the next sync fetches by this call.
  private func retry(
    _ name: NamedRecord, in store: SQLiteStore
  ) throws(StoreError) -> (total: Int, count: Int) {
    let record = try store.read { reader throws(StoreError) in
      try reader.quarantinedRecord(of: name.className, objectID: name.id)
    }
    guard record != nil else { return (0, 0) }
    let isRetried = try store.retryQuarantined(of: name.className, objectID: name.id)
    return (1, isRetried ? 1 : 0)
  }

  /// - Returns: The number of records of these classes, and of those that the next sync fetches by this call.
  private func retry(
    _ classNames: [String], in store: SQLiteStore
  ) throws(StoreError) -> (total: Int, count: Int) {
    var (total, count) = (0, 0)
    for name in classNames {
      total += try store.read { reader throws(StoreError) in try reader.quarantine(of: name) }.count
      count += try store.retryQuarantined(of: name)
    }
    return (total, count)
  }

  private func inStore<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw Failure(error) }
  }

  private func tell(_ count: Int, of total: Int) -> ExitCode {
    session.console.message(JSONMessage("fetched_again", ["records": .count(count)]))
    let others = total - count
    let head =
      count == 0
      ? "Nothing was changed."
      : "The next sync fetches \(count.counted("record", "records")) again."
    let rest =
      others.counted("record is", "records are") + " tried by the next sync in any case, or "
      + (others == 1 ? "was" : "were") + " sent without an id."
    session.console.result(
      total == 0
        ? "Nothing is in quarantine." : others == 0 ? head : "\(head) \(rest)")
    return .success
  }
}

extension ParsedCommand {
  /// The action of `ferry quarantine`; to list, where none is named.
  var quarantineAction: QuarantineCommand.Action {
    operand.flatMap(QuarantineCommand.Action.init) ?? .list
  }
}

extension Failure {
  fileprivate static func notInQuarantine(_ name: NamedRecord) -> Failure {
    Failure(
      usage:
        "No record \(name.id.quoted) of \(name.className) is in quarantine. Nothing was changed. \"ferry quarantine\" lists "
        + "the records.")
  }
}
