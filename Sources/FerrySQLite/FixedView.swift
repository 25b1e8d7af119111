// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// The facts that many questions need of a view, and that stay as they are if it only reads.
struct FixedView {
  /// The newest change in history.
  let last: HistoryToken
  /// The marks of unfolded edits; nil until a question needs them.
  var unfolded: UnfoldedMarks?
  /// The mark for observers; nil until an observer needs it.
  var mark: StoreMark?
}
