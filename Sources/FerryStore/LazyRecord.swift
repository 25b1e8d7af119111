// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// One row of a `LazyRecords` list, or the row to which a pointer of one leads.
///
/// It is a name until a field is asked for. Any thread may use it. It keeps its list.
public struct LazyRecord: Sendable {
  /// Where the list finds the row.
  enum Place: Sendable {
    case row(Int)
    case target(Pointer, field: String, of: Source)
  }

  /// The rows whose pointers are followed together.
  enum Source: Sendable {
    case batch(Int)
    /// Those of a class to which pointers led so far.
    case reached(className: String)
  }

  let list: LazyRecords
  /// The name of the row in its list; nil for the row to which a pointer leads.
  public let reference: RecordReference?
  let place: Place

  init(list: LazyRecords, reference: RecordReference?, place: Place) {
    self.list = list
    self.reference = reference
    self.place = place
  }

  /// The row, read together with the others of its batch; nil if it is not in the store.
  ///
  /// - Throws: `StoreError` if the store cannot be read, and for a class that is not registered.
  public func record() throws(StoreError) -> Record? { try list.record(at: place) }

  /// A field's value; null if the field has none, or if the row is not in the store.
  public subscript(field: String) -> Value {
    get throws(StoreError) { try record()?[field] ?? .null }
  }

  /// The row to which a pointer leads, still unread; nil if the field holds no pointer.
  ///
  /// The first one that is asked for a field reads the rows to which this field of all rows of the batch leads.
  ///
  /// ```swift
  /// for game in try store.lazyRecords(Query("Game")) {
  ///   if let league = try game.pointer("league") { print(try league["name"]) }
  /// }
  /// ```
  ///
  /// - Parameter field: A Pointer field.
  /// - Returns: The row to which it leads, which may be gone.
  /// - Throws: `StoreError` if the store cannot be read.
  public func pointer(_ field: String) throws(StoreError) -> LazyRecord? {
    guard case .pointer(let pointer)? = try record()?[field] else { return nil }
    return LazyRecord(
      list: list, reference: nil,
      place: .target(pointer, field: field, of: list.source(of: place)))
  }
}
