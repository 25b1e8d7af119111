// Ferry: offline-first sync for Parse Server. MIT licence.

/// A row that a world makes, and its class.
struct WorldRow {
  var name: String
  var made: WorldClass

  /// An edit of one field: of the first one for 0, and of another one for 1.
  ///
  /// In a class with more than two fields, the stamp takes turns among them.
  func edit(_ stamp: Int, by writer: String, number: Int) -> Edit {
    let fields = made.written
    guard !fields.isEmpty else { return .set(name, [:]) }
    let field = fields[(number + 2 * stamp) % fields.count]
    return .set(name, [field: made.content(of: field, stamp, by: writer)])
  }
}

extension World {
  /// The row that an edit makes; nil for any other edit.
  func row(_ edit: Edit) -> WorldRow? {
    guard case .insert(let row, let className, _) = edit else { return nil }
    return madeClass(className).map { WorldRow(name: row, made: $0) }
  }
}
