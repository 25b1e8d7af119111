// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What capture wrote about one edit of the app's: the evidence of what is unsent.
///
/// A row of the log is appended in the transaction of the edit, and holds just what the edit
/// destroyed. What it became is read from the table when the log is folded. A row that was replaced
/// (REPLACE and its kin) was deleted, and another one inserted, with the same object id.
package struct LogRow: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The row came.
    case insert
    /// The row changed: the old values of the fields that did, null where there was none.
    case update(old: Fields)
    /// The row went: what it held.
    case delete(old: Record)
  }

  package var token: HistoryToken
  package var className: String
  package var localID: LocalID
  package var kind: Kind

  package init(token: HistoryToken, className: String, localID: LocalID, kind: Kind) {
    self.token = token
    self.className = className
    self.localID = localID
    self.kind = kind
  }
}
