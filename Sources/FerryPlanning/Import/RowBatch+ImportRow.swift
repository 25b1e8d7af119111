// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension RowBatch.View {
  /// A row with its values.
  package func importRow(_ row: Int, localID: LocalID? = nil, of entity: Entity) -> ImportRow {
    ImportRow(
      localID: localID, objectID: string(cell(row, RowBatch.Column.objectID)),
      createdAt: Timestamp(string(cell(row, RowBatch.Column.createdAt))) ?? .earliest,
      version: ServerVersion(rawValue: string(cell(row, RowBatch.Column.version))),
      acl: value(cell(row, RowBatch.Column.acl), as: .object),
      values: entity.fields.enumerated().map { position, field in
        value(cell(row, RowBatch.Column.firstField + position), as: field.type)
      })
  }
}
