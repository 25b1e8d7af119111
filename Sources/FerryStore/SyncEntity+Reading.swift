// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension SyncEntity {
  /// The value of a row that was read as a record.
  ///
  /// Use it where an app needs more of a row than its fields, such as its access list.
  ///
  /// ```swift
  /// for record in try store.read({ try $0.records(Query("Game")) }) {
  ///   print(try Game(reading: record).title, record.acl.isNull ? "open" : "has an access list")
  /// }
  /// ```
  ///
  /// - Parameter record: A row of the type's class.
  /// - Throws: `StoreError` with code `wrongType` if the type cannot hold the row.
  public init(reading record: Record) throws(StoreError) {
    do {
      self = try RecordDecoder.entity(Self.self, from: record)
    } catch {
      throw StoreError(
        .wrongType,
        "The row \(record.localID) of \(record.className) cannot be read as \(Self.self): "
          + "\(error.codingReason) The row is unchanged. Correct the value in the row, or adapt the type, and read again.",
        cause: error)
    }
  }
}

extension Error {
  /// A coder's message about a value, with the path to the value.
  package var codingReason: String {
    let context: (codingPath: [any CodingKey], debugDescription: String)? =
      switch self as any Error {
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      default: nil
      }
    guard let context else { return "\(self)" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
  }
}
