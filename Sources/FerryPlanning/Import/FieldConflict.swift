// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Both sides changed one field to different values.
public struct FieldConflict: Sendable, Equatable {
  /// The record with its local names.
  public var record: RecordReference
  /// The field; `Fields.accessList` for the access list, which `AccessList` reads.
  public var field: String
  /// The value that both sides had before.
  public var base: Value
  /// The local value.
  public var local: Value
  /// The server's value.
  public var remote: Value

  package init(record: RecordReference, field: String, base: Value, local: Value, remote: Value) {
    self.record = record
    self.field = field
    self.base = base
    self.local = local
    self.remote = remote
  }
}
