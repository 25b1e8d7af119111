// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

extension ConflictRecord {
  /// The lost values that a restore writes: those of declared fields that can hold them.
  ///
  /// - Parameter entity: The class as the schema declares it now.
  /// - Returns: All lost values, except for fields that are gone, are relations, or have another type.
  public func restorableFields(of entity: Entity) -> Fields {
    Fields(
      lost.values.filter { name, value in
        guard let type = entity.field(name)?.type else { return false }
        if case .relation = type { return false }
        return value.reason(againstWritingTo: type) == nil
      })
  }
}
