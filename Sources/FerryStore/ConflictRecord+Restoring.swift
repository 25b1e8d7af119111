// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

extension ConflictRecord {
  /// The lost values that a restore writes: those of declared fields that can hold them.
  ///
  /// - Parameter entity: The class as the schema declares it now.
  /// - Returns: All lost values, the access list among them, except for fields that are gone, are relations, or have another type. The mark of a
  ///   soft delete is left out of a whole record: its new row would go at once.
  public func restorableFields(of entity: Entity) -> Fields {
    Fields(
      lost.values.filter { name, value in
        if name == Fields.accessList {
          return !isWholeRecord && value.objectionAsAccessList == nil
        }
        guard let type = entity.field(name)?.type else { return false }
        if case .relation = type { return false }
        return name != deletionMark(of: entity) && value.reason(againstWritingTo: type) == nil
      })
  }

  /// The field that marks the lost record as deleted, which no restore writes; nil if there is none.
  ///
  /// - Parameter entity: The class as the schema declares it now.
  /// - Returns: The field of a class with soft deletes, if the conflict record holds a whole record.
  public func deletionMark(of entity: Entity) -> String? {
    guard isWholeRecord, case .softDelete(let field) = entity.deletionStrategy else { return nil }
    return field
  }
}
