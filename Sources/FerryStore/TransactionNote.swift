// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// The note that a store of Ferry's own makes at the end of each transaction that changed rows.
///
/// Log rows of no note come from another program's plain SQL.
package struct TransactionNote: Sendable, Equatable {
  /// Why the transaction was made; the numbers are those of the store's file.
  package enum Step: Int, Sendable {
    case edit = 0
    case undo = 1
    case redo = 2
  }

  /// The transaction's log rows.
  package var tokens: ClosedRange<HistoryToken>
  package var time: Timestamp
  package var author: Author
  package var step: Step
  /// Whether a later transaction took this one back.
  package var isUndone: Bool

  package init(
    tokens: ClosedRange<HistoryToken>, time: Timestamp, author: Author, step: Step = .edit,
    isUndone: Bool = false
  ) {
    self.tokens = tokens
    self.time = time
    self.author = author
    self.step = step
    self.isUndone = isUndone
  }

  /// Whether the app can undo it next, if no newer one qualifies.
  package var isUndoable: Bool { author == .app && step != .undo && !isUndone }

  /// Whether it decides what can be redone: an undo can be, and a newer edit ends that.
  package var decidesRedoing: Bool {
    author == .app && (step == .edit || step == .undo && !isUndone)
  }
}
