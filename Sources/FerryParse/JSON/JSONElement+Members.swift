// Ferry: offline-first sync for Parse Server. MIT licence.

extension JSONElement {
  /// The number of members or elements, exact up to sixteen million.
  var memberCount: Int { Int((tape[index] >> 32) & 0xFF_FFFF) }

  /// Whether this is an object of one of Parse's types: `{"__type": name, …}`.
  func isTyped(_ name: StaticString) -> Bool {
    self["__type"]?.utf8?.equals(name) == true
  }
}

extension JSONObject {
  /// The name of a member that occurs twice.
  package var duplicateKey: String? {
    var names = Set<String>()
    for member in self where !names.insert(member.name).inserted { return member.name }
    return nil
  }
}
