// Ferry: offline-first sync for Parse Server. MIT licence.

extension Entity {
  /// A text that stays the same as long as Ferry reads the class from the server in the same way.
  ///
  /// Pages staged and records quarantined under another fingerprint must be fetched again. The
  /// order of the fields and the names of table and columns do not matter.
  package var fingerprint: String {
    let fields = fields.map { "\($0.name):\($0.type.name)" }.sorted()
    let format = serializer.map { "|" + String(reflecting: type(of: $0)) } ?? ""
    return name + "|" + fields.joined(separator: ",") + format
  }
}
