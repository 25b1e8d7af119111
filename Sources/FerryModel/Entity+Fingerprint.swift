// Ferry: offline-first sync for Parse Server. MIT licence.

extension Entity {
  /// A text that is the same as long as the class is read from the server in the same way.
  ///
  /// Pages staged, and records quarantined, under another fingerprint are to be had again. The order
  /// of the fields and the names of table and columns do not matter.
  package var fingerprint: String {
    let fields = fields.map { "\($0.name):\($0.type.name)" }.sorted()
    let format = serializer.map { "|" + String(reflecting: type(of: $0)) } ?? ""
    return name + "|" + fields.joined(separator: ",") + format
  }
}
