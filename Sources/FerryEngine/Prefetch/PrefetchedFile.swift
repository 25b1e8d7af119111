// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A file that `SyncCoordinator.prefetchFiles(of:onFailure:if:)` could fetch, and the record that has it.
public struct PrefetchedFile: Sendable, Equatable {
  /// The class of the record.
  public var className: String
  /// The record's row.
  public var localID: LocalID
  /// The field.
  public var field: String
  /// The value of the field.
  public var file: File

  /// A file of a record.
  public init(className: String, localID: LocalID, field: String, file: File) {
    self.className = className
    self.localID = localID
    self.field = field
    self.file = file
  }
}
