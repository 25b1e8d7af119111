// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Records the age of log rows from time to time; a time in every row would make each edit slower.
struct LogClock {
  private static let interval: Int64 = 3_600_000

  private let transaction: SQLiteReader
  private let now: @Sendable () -> Timestamp

  init(_ transaction: SQLiteReader, now: @escaping @Sendable () -> Timestamp) {
    self.transaction = transaction
    self.now = now
  }

  /// Notes the time for all present rows, at most once an hour.
  func noteNowAndThen() throws(StoreError) {
    let last = try transaction.statement(
      "SELECT time FROM ferry_log_time ORDER BY token DESC LIMIT 1"
    )
    .first { $0.timestamp(0) }
    if let last = last.flatMap(\.self), now() < last.adding(milliseconds: Self.interval) { return }
    try note()
  }

  /// Notes that all present rows were written before now.
  func note() throws(StoreError) {
    try transaction.keepingBooks { () throws(StoreError) in
      try transaction.statement("INSERT OR IGNORE INTO ferry_log_time (token, time) VALUES (?, ?)")
        .bound(try transaction.lastToken().rawValue, now()).run()
    }
  }

  /// The newest row that is certainly older than a time; 0 for none.
  func lastToken(before time: Timestamp) throws(StoreError) -> Int64 {
    try transaction.statement("SELECT max(token) FROM ferry_log_time WHERE time < ?").bound(time)
      .first { $0.integer(0) } ?? 0
  }
}
