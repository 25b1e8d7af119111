// Ferry: offline-first sync for Parse Server. MIT licence.

/// A field as a schema declares it.
struct FieldDefinition: Hashable, Sendable {
  var type: FieldType
  var isRequired = false
  var defaultValue: LoopbackValue?

  var value: LoopbackValue {
    var members: [String: LoopbackValue] = ["type": .string(type.name)]
    members["targetClass"] = type.targetClass.map(LoopbackValue.string)
    if isRequired { members["required"] = true }
    members["defaultValue"] = defaultValue
    return .object(members)
  }
}
