// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// One captured edit of the app, from which the outbox is made.
///
/// The store appends a log row in the transaction of the edit. The row holds only the values that
/// the edit destroyed. Folding reads the new values from the table. A replaced row (by REPLACE, for
/// example) is logged as a delete and an insert with the same object id.
package struct LogRow: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The row was inserted.
    case insert
    /// The row was changed: the old values of the changed fields, null for a missing value.
    case update(old: Fields)
    /// The row was deleted: all its values.
    case delete(old: Record)
    /// An edit that a program has folded which did not declare these fields: their old values.
    ///
    /// The row may be gone since, or hold another record. Of a delete, the object id is known.
    case late(old: Fields, goneObjectID: String?)
    /// An insert that a program has folded which did not declare these fields: what the server has of them, as far
    /// as the log says it.
    ///
    /// The row's columns may hold their defaults because that program left them out.
    case lateInsert(old: Fields)
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

extension LogRow {
  package var key: RecordKey { RecordKey(className: className, localID: localID) }
}
