// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry history`: the newest changes of the rows with their values, or those after a token.
struct HistoryCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let limit = try session.command.limit
    let after = try session.command.number(.after).map { HistoryToken(rawValue: Int64($0)) }
    let configuration = try session.configuration()
    let record = session.command.has(.id) ? try session.command.namedRecord(configuration) : nil
    var filter = HistoryFilter(classNames: Set(try session.classNames(configuration)))
    var named: Set<LocalID> = []
    var lines: [HistoryLine] = []
    var last = HistoryToken.start
    try session.inspect(configuration) { store throws(StoreError) in
      let reader = store.rows
      last = try reader.lastToken()
      if let record {
        named = try store.localIDs(of: record)
        let rows = named.isEmpty ? try store.formerLocalIDs(of: record) : named
        filter.localIDs = [record.className: rows]
      }
      var changes: [Change]
      if let after {
        let following = try reader.changes(after: after, limit: .max)
        let wanted = following.filter(filter.accepts)
        changes = Array(wanted.prefix(limit))
        // The next call lists the others.
        if wanted.count > limit, let end = changes.last { last = end.token }
      } else {
        changes = try reader.newestChanges(limit, matching: filter)
      }
      lines = try reader.lines(of: changes)
    }
    try record?.checkIsOne(named.count)
    for line in lines { session.console.message(line.json) }
    session.console.message(
      JSONMessage(
        "summary", ["changes": .count(lines.count), "last_token": .integer(last.rawValue)]))
    session.console.result(
      lines.isEmpty ? nothing(after, last) : lines.map(\.text).joined(separator: "\n"))
    return .success
  }

  private func nothing(_ after: HistoryToken?, _ last: HistoryToken) -> String {
    guard let after, last > .start else { return "No change is recorded." }
    return after > last
      ? "History ends at \(last.rawValue), before \(after.rawValue)."
      : "No change is recorded after \(after.rawValue). History ends at \(last.rawValue)."
  }
}

extension StoreReader {
  /// The newest changes that are wanted, oldest of them first.
  func newestChanges(
    _ count: Int, matching filter: HistoryFilter
  ) throws(StoreError) -> [Change] {
    // Each transaction has a change at least.
    let newest = try transactions(before: nil, matching: filter, limit: count)
    return newest.reversed().flatMap(\.changes).suffix(count)
  }
}
