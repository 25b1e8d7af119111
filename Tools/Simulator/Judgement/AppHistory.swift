// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Foundation

/// The transactions of the apps in a store, newest last, and which of them can be taken back.
struct AppHistory {
  /// Why a transaction was made.
  enum Step {
    case edit, undo, redo
  }

  private struct Transaction {
    var token: HistoryToken
    var step: Step
    var date: Date
    var isUndone = false
  }

  // Documented: a sync forgets history after a week. The rule asks for a day less.
  private static let kept: TimeInterval = 6 * 86_400

  private var transactions: [Transaction] = []
  /// Whether a program worked on the store that does not see all transactions.
  private(set) var hadOtherPrograms = false
  /// Whether a clock was ahead, by which history is older.
  private(set) var hadWrongClock = false
  /// Whether only an undo or a redo of the app can have changed rows since the last transaction.
  private(set) var isFresh = false

  /// A transaction of the app was made.
  mutating func note(_ token: HistoryToken, _ step: Step, at date: Date) {
    transactions.append(Transaction(token: token, step: step, date: date))
    isFresh = true
  }

  /// A sync or another program changed rows.
  mutating func touch() { isFresh = false }

  /// A program works on the store that does not declare all fields, or declares others.
  mutating func startedOtherProgram() { hadOtherPrograms = true }

  mutating func clockJumped() { hadWrongClock = true }

  /// The transaction that an undo takes back.
  var undoable: HistoryToken? { undoablePlace.map { transactions[$0].token } }

  /// The undo that a redo takes back.
  var redoable: HistoryToken? { redoablePlace.map { transactions[$0].token } }

  /// Whether an undo or a redo takes the last transaction back, and nobody else changed rows since.
  func isOfLast(_ step: Step) -> Bool {
    isFresh && (step == .undo ? undoablePlace : redoablePlace) == transactions.indices.last
  }

  /// Whether history may have forgotten the transaction that an undo or a redo takes back.
  func mayForget(_ step: Step, at date: Date) -> Bool {
    guard !hadWrongClock, let place = step == .undo ? undoablePlace : redoablePlace else {
      return true
    }
    return date.timeIntervalSince(transactions[place].date) > Self.kept
  }

  mutating func tookBack(_ token: HistoryToken) {
    for place in transactions.indices where transactions[place].token == token {
      transactions[place].isUndone = true
    }
  }

  private var undoablePlace: Int? {
    transactions.lastIndex { $0.step != .undo && !$0.isUndone }
  }

  private var redoablePlace: Int? {
    let newest = transactions.lastIndex { $0.step == .edit || $0.step == .undo && !$0.isUndone }
    return newest.flatMap { transactions[$0].step == .undo ? $0 : nil }
  }
}
