// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The field of a row that `--class`, `--id` and `--field` name.
struct FilePlace {
  var row: Record
  var field: String

  /// - Parameters:
  ///   - session: The command.
  ///   - configuration: The classes.
  ///   - fate: The end of a refusal, such as "Nothing was fetched."
  /// - Throws: A usage failure if the flags name no field for files of one row.
  init(
    _ session: Session, _ configuration: SyncConfiguration, fate: String
  ) throws(Failure) {
    let name = try session.command.namedRecord(configuration)
    let entity = configuration.schema.entities.first { $0.name == name.className }
    let fields = (entity?.fields ?? []).filter { $0.type == .file }.map(\.name)
    let asked = session.command.value(.field)
    guard !fields.isEmpty else {
      throw Failure(usage: "\(name.className) has no field for files. \(fate)")
    }
    guard let field = asked ?? (fields.count == 1 ? fields.first : nil) else {
      throw Failure(
        usage:
          "\(name.className) has \(fields.count.counted("field", "fields")) for files: \(fields.joined(separator: ", ")). "
          + "\(fate) Name one with --field.")
    }
    guard fields.contains(field) else {
      throw Failure(
        usage:
          "\(name.className) has no field \(field.quoted) for files, but \(fields.joined(separator: ", ")). \(fate)"
      )
    }
    let rows = try session.inspect(configuration) { store throws(StoreError) in
      try store.rows(of: name)
    }
    try name.checkIsOne(rows?.count ?? 0)
    guard let row = rows?.first else {
      throw Failure(
        usage:
          "\(name.className) has no row \(name.id.quoted) here. \(fate) \"ferry sync\" brings new records."
      )
    }
    self.row = row
    self.field = field
  }
}
