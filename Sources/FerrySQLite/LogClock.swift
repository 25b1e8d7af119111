// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Knows when log rows were written; a time in every row would make each edit slower.
struct LogClock {
  private let transaction: SQLiteReader
  private let now: @Sendable () -> Timestamp

  init(_ transaction: SQLiteReader, now: @escaping @Sendable () -> Timestamp) {
    self.transaction = transaction
    self.now = now
  }

  /// Notes that all present rows were written before now, those of plain SQL among them.
  func note() throws(StoreError) {
    try transaction.keepingBooks { () throws(StoreError) in
      try transaction.statement("INSERT OR IGNORE INTO ferry_log_time (token, time) VALUES (?, ?)")
        .bound(try transaction.lastToken().rawValue, now()).run()
    }
  }

  /// Notes the transaction that wrote the rows behind a token, if there are any.
  func noteTransaction(
    after start: HistoryToken, by author: Author, _ step: TransactionNote.Step
  ) throws(StoreError) {
    let last = try transaction.lastToken()
    guard last > start else { return }
    try transaction.keepingBooks { () throws(StoreError) in
      try transaction.statement(
        "INSERT INTO ferry_log_time (token, time, firstToken, author, step) VALUES (?, ?, ?, ?, ?)"
      ).bound(last.rawValue, now(), start.rawValue + 1, author.rawValue, step.rawValue).run()
    }
  }

  /// The newest row that is certainly older than a time; 0 for none.
  ///
  /// A time in the future comes from a clock that was wrong, and says nothing.
  func lastToken(before time: Timestamp) throws(StoreError) -> Int64 {
    let notOlder = try transaction.statement(
      "SELECT token FROM ferry_log_time WHERE time >= ? AND time <= ? ORDER BY token LIMIT 1"
    ).bound(time, now()).first { $0.integer(0) }
    return try transaction.statement(
      "SELECT token FROM ferry_log_time WHERE token < ? AND time < ? ORDER BY token DESC LIMIT 1"
    ).bound(notOlder ?? .max, time).first { $0.integer(0) } ?? 0
  }
}
