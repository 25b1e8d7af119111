// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Both sides changed the same fields of a record to different values.
///
/// `base`, `local` and `remote` hold all declared fields of the record, also the fields that are not
/// in conflict. An empty field is `.null`. If the access list is in conflict, they have it as `Fields.accessList`.
public struct RecordConflict: Sendable, Equatable {
  /// The record with its local names.
  public var record: RecordReference
  /// The names of the fields in conflict.
  public var fields: Set<String>
  /// The values that both sides had before.
  public var base: Fields
  /// The local values.
  public var local: Fields
  /// The server's values.
  public var remote: Fields

  package init(
    record: RecordReference, fields: Set<String>, base: Fields, local: Fields, remote: Fields
  ) {
    self.record = record
    self.fields = fields
    self.base = base
    self.local = local
    self.remote = remote
  }

  /// The conflict of one field.
  func conflict(in field: String) -> FieldConflict {
    FieldConflict(
      record: record, field: field, base: base[field] ?? .null, local: local[field] ?? .null,
      remote: remote[field] ?? .null)
  }
}
