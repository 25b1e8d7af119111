// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

// Edits of fields with a merge. Plain SQL and `update` do the same: the difference of the values counts.
extension StoreTransaction {
  /// Adds to a number, so that additions of other devices and clients stay.
  ///
  /// The row shows the sum at once, and the next sync asks the server to add. A missing value counts as 0.
  ///
  /// ```swift
  /// try store.write { try $0.increment("likes", of: game) }
  /// try store.write { try $0.increment("likes", by: -2, of: game) }
  /// ```
  ///
  /// - Parameters:
  ///   - field: A field with the merge `FieldMerge.increment`.
  ///   - amount: A number, also a negative one.
  ///   - reference: The row.
  /// - Throws: `StoreError` with code `wrongType` if the field has another merge or none, or the amount is no number; as
  ///   `update` for a row that is gone, a field that is not declared, and a sum that the field cannot hold.
  public func increment(
    _ field: String, by amount: Value = 1, of reference: RecordReference
  ) throws(StoreError) {
    let row = try row(of: reference, field, needing: .increment)
    guard let sum = Increment.sum(row[field], amount, minus: .null), !amount.isNull else {
      throw StoreError(
        .wrongType,
        "\(amount.nameForPeople) cannot be added to the field \(field) of \(reference.className). Nothing was changed. "
          + "Add a number.")
    }
    try update(reference, [field: sum])
  }

  /// Adds elements that an array does not have, so that elements of other devices and clients stay.
  ///
  /// ```swift
  /// try store.write { try $0.addUnique(["north", "final"], to: "tags", of: game) }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The elements; those that the array has already stay where they are.
  ///   - field: A field with the merge `FieldMerge.set`.
  ///   - reference: The row.
  /// - Throws: `StoreError` with code `wrongType` if the field has another merge or none; as `update` for a row that is
  ///   gone and a field that is not declared.
  public func addUnique(
    _ elements: [Value], to field: String, of reference: RecordReference
  ) throws(StoreError) {
    let row = try row(of: reference, field, needing: .set)
    var array = row[field].elementsOfArray
    for element in elements where !array.contains(element) { array.append(element) }
    try update(reference, [field: .array(array)])
  }

  /// Removes elements of an array, so that other elements that devices and clients add stay.
  ///
  /// ```swift
  /// try store.write { try $0.remove(["north"], from: "tags", of: game) }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The elements; those that the array does not have change nothing.
  ///   - field: A field with the merge `FieldMerge.set`.
  ///   - reference: The row.
  /// - Throws: As `addUnique(_:to:of:)`.
  public func remove(
    _ elements: [Value], from field: String, of reference: RecordReference
  ) throws(StoreError) {
    let row = try row(of: reference, field, needing: .set)
    guard !row[field].isNull else { return }
    try update(
      reference, [field: .array(row[field].elementsOfArray.filter { !elements.contains($0) })])
  }

  private func row(
    of reference: RecordReference, _ name: String, needing merge: FieldMerge
  ) throws(StoreError) -> Record {
    let field = try schema.registered(reference.className).declaredField(name)
    guard field.merge == merge else {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(reference.className) does not have the merge \(merge.rawValue), so that this edit would "
          + "overwrite those of others. Nothing was changed. Declare the merge, or use update.")
    }
    guard let row = try record(of: reference.className, localID: reference.localID) else {
      throw StoreError.noSuchRecord(reference.className, reference.localID)
    }
    return row
  }
}

extension Value {
  /// The elements of an array; none of any other value.
  fileprivate var elementsOfArray: [Value] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
