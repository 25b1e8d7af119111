// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// The outcome for one conflict record when those of its run were restored.
public struct ConflictRestoration: Sendable {
  /// The conflict record as it was before.
  public var conflict: ConflictRecord
  /// The row that has the values now; or why the conflict record stayed as it was.
  ///
  /// The code of the error says why: `noSuchRecord` if the row of single fields is gone, `unknownClass` or `unknownField`
  /// if the schema leaves out the class or all lost fields. With any other code, the row cannot take the values, as where
  /// a rule of another program refuses them.
  public var result: Result<RecordReference, StoreError>

  package init(conflict: ConflictRecord, result: Result<RecordReference, StoreError>) {
    self.conflict = conflict
    self.result = result
  }
}
