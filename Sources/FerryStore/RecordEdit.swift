// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
package import FerryPlanning

/// The work of one transaction of the app on one record, as a whole, with values.
///
/// A row that was inserted and changed is one insert. A row that was inserted and deleted again is none.
public struct RecordEdit: Sendable, Equatable {
  /// The record; its object id is empty if its row is gone and history does not tell it.
  public var record: RecordReference
  /// What happened to the row.
  public var kind: Change.Kind
  /// The values before: of the changed fields, and of the access list under `Fields.accessList`, of the whole row for a delete, and none for an insert.
  public var before: Fields
  /// The values after: of the changed fields, of the whole row for an insert, and none for a delete.
  ///
  /// A field is left out if a sync has overwritten it since: history does not keep that value.
  public var after: Fields

  /// The access control list of a deleted row, and of an inserted one; null for none, or if history does not tell it.
  package var acl: Value = .null
  /// The last of the changes that it puts together.
  package var lastChange = HistoryToken.start
  /// Whether the transaction also deleted a row under the local id.
  package var hasReplacedRow = false

  package init(record: RecordReference, kind: Change.Kind, before: Fields, after: Fields) {
    self.record = record
    self.kind = kind
    self.before = before
    self.after = after
  }

  package var key: RecordKey { RecordKey(className: record.className, localID: record.localID) }
}
