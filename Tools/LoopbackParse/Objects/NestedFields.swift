// Ferry: offline-first sync for Parse Server. MIT licence.

/// Sets a value inside an object, by a path of names.
enum NestedFields {
  static func setting(
    _ path: ArraySlice<String>, of object: LoopbackValue?, to value: LoopbackValue?
  ) -> LoopbackValue? {
    guard let name = path.first else { return value }
    var members = object?.object ?? [:]
    members[name] = setting(path.dropFirst(), of: members[name], to: value)
    return .object(members)
  }

  static func value(_ path: ArraySlice<String>, of object: LoopbackValue?) -> LoopbackValue? {
    guard let name = path.first else { return object }
    return value(path.dropFirst(), of: object?[name])
  }
}
