// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Knows how old the log's rows are, from a note now and then: a time in every row would cost each edit.
struct LogClock {
  private static let interval: Int64 = 3_600_000

  private let transaction: SQLiteReader

  init(_ transaction: SQLiteReader) { self.transaction = transaction }

  /// Notes that all rows there are were written before a time; at most once an hour of new rows.
  func noteNowAndThen() throws {
    let last = try transaction.statement(
      "SELECT time FROM ferry_log_time ORDER BY token DESC LIMIT 1"
    )
    .first { $0.timestamp(0) }
    let now = Timestamp.now
    if let last = last.flatMap(\.self), now.milliseconds - last.milliseconds < Self.interval {
      return
    }
    try note(at: now)
  }

  func note(at time: Timestamp) throws {
    try transaction.statement("INSERT OR IGNORE INTO ferry_log_time (token, time) VALUES (?, ?)")
      .bound(try transaction.lastToken().rawValue, time).run()
  }

  /// The newest row that is surely older than a time; 0 for none.
  func lastToken(before time: Timestamp) throws -> Int64 {
    try transaction.statement("SELECT max(token) FROM ferry_log_time WHERE time < ?").bound(time)
      .first { $0.integer(0) } ?? 0
  }
}
