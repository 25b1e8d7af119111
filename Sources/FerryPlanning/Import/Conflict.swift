// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Both sides changed a field to different values.
public struct Conflict: Sendable, Equatable {
  /// The record, as it is named here.
  public var record: RecordReference
  /// The field.
  public var field: String
  /// What both sides had before.
  public var base: Value
  /// The value here.
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
