// Ferry: offline-first sync for Parse Server. MIT licence.

/// Makes fields from a Swift value through its `Codable` conformance.
package enum RecordEncoder {
  /// The fields with the values of the entity's properties; a nil optional becomes null.
  package static func fields(of entity: some SyncEntity) throws -> Fields {
    let node = ValueNode(.record)
    try entity.encode(to: ValueEncoder(node))
    guard case .object(let members) = node.value else {
      throw EncodingError.invalidValue(
        entity,
        .init(codingPath: [], debugDescription: "A \(type(of: entity)) has no named properties."))
    }
    return Fields(members.filter { !EntityProperty.names.contains($0.key) })
  }
}
