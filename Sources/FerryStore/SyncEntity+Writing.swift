// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension SyncEntity {
  /// The values of the properties by field; null for a property without one.
  ///
  /// - Throws: `StoreError` if a property has no form in a field.
  func writtenFields() throws(StoreError) -> Fields {
    do {
      return try RecordEncoder.fields(of: self)
    } catch {
      throw StoreError(
        .wrongType,
        "The \(Self.self) was not written: \(error.codingReason) Adapt the type and write again.",
        cause: error)
    }
  }
}
