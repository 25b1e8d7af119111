// Ferry: offline-first sync for Parse Server. MIT licence.

extension Value {
  /// Calls the closure with each pointer, including those inside arrays and objects.
  package func forEachPointer(_ body: (Pointer) -> Void) {
    switch self {
    case .pointer(let pointer): body(pointer)
    case .array(let elements): for element in elements { element.forEachPointer(body) }
    case .object(let members): for member in members.values { member.forEachPointer(body) }
    case .null, .string, .integer, .number, .boolean, .date, .bytes, .geoPoint, .polygon, .file,
      .relation:
      break
    }
  }

  /// The value with pointers replaced, including those inside arrays and objects; nil if none was
  /// replaced.
  ///
  /// The closure returns the new object id, or nil to leave a pointer as it is.
  package func replacingPointers(_ newObjectID: (Pointer) -> String?) -> Value? {
    switch self {
    case .pointer(let pointer):
      return newObjectID(pointer).map {
        .pointer(Pointer(className: pointer.className, objectID: $0))
      }
    case .array(var elements):
      var isReplaced = false
      for index in elements.indices {
        guard let new = elements[index].replacingPointers(newObjectID) else { continue }
        elements[index] = new
        isReplaced = true
      }
      return isReplaced ? .array(elements) : nil
    case .object(var members):
      var isReplaced = false
      for (key, member) in members {
        guard let new = member.replacingPointers(newObjectID) else { continue }
        members[key] = new
        isReplaced = true
      }
      return isReplaced ? .object(members) : nil
    case .null, .string, .integer, .number, .boolean, .date, .bytes, .geoPoint, .polygon, .file,
      .relation:
      return nil
    }
  }

  /// The value with pointers to one record replaced by pointers to its new id; nil if none was
  /// replaced.
  package func replacingPointers(
    _ className: String, from old: String, to new: String
  ) -> Value? {
    replacingPointers { $0.className == className && $0.objectID == old ? new : nil }
  }
}

extension Fields {
  /// Only the fields in which a pointer was replaced, with their new values.
  package func replacedPointers(_ newObjectID: (Pointer) -> String?) -> Fields {
    Fields(values.compactMapValues { $0.replacingPointers(newObjectID) })
  }

  /// All fields, with pointers replaced.
  package func replacingPointers(_ newObjectID: (Pointer) -> String?) -> Fields {
    merging(replacedPointers(newObjectID))
  }

  /// The minted ids that pointers in these fields hold.
  package var mintedPointerIDs: Set<String> {
    var ids = Set<String>()
    for value in values.values {
      value.forEachPointer { if MintedID.matches($0.objectID) { ids.insert($0.objectID) } }
    }
    return ids
  }
}
