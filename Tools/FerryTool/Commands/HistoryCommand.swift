// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry history`: the newest changes of the rows with their values, or those after a token.
struct HistoryCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let limit = try session.command.limit
    let after = try session.command.number(.after).map { HistoryToken(rawValue: Int64($0)) }
    let configuration = try session.configuration()
    let names = Set(try session.classNames(configuration))
    var lines: [HistoryLine] = []
    var last = HistoryToken.start
    try session.inspect(configuration) { store throws(StoreError) in
      let reader = store.rows
      last = try reader.lastToken()
      var changes: [Change]
      let isWanted = { (change: Change) in names.contains(change.className) }
      if let after {
        let following = try reader.changes(after: after, limit: .max)
        let wanted = following.filter(isWanted)
        changes = Array(wanted.prefix(limit))
        // The next call lists the others.
        if wanted.count > limit, let end = changes.last { last = end.token }
      } else {
        changes = try reader.newestChanges(limit, where: isWanted)
      }
      lines = try reader.lines(of: changes)
    }
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
  ///
  /// History is read forwards only, and its old end may be gone: a window at its new end grows until
  /// it holds enough, or shrinks until it is all kept.
  func newestChanges(_ count: Int, where isWanted: (Change) -> Bool) throws(StoreError) -> [Change]
  {
    let last = try lastToken().rawValue
    var window = Int64(max(count, 1))
    var kept: [Change]?
    while true {
      let start = HistoryToken(rawValue: max(last - window, 0))
      do {
        let wanted = try changes(after: start, limit: .max).filter(isWanted)
        if wanted.count >= count || start == .start { return wanted.suffix(count) }
        kept = wanted
        window *= 4
      } catch {
        guard error.code == .historyPruned else { throw error }
        if let kept { return kept }
        guard window > 1 else { return [] }
        window /= 2
      }
    }
  }
}
