// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension WorldClass {
  /// The fields of worlds without a schema of an app.
  enum Name {
    static let title = "title"
    static let score = "score"
    static let note = "note"
    static let flag = "isRemoved"
  }

  /// A class with the fields `title`, `score` and `note`, a flag where it marks deleted rows, and pointers.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - isFiltered: Whether devices keep only rows with a score of zero or more.
  ///   - deletions: How devices find deleted rows.
  ///   - pointers: The pointers: field and class.
  public init(
    name: String, isFiltered: Bool = false, deletions: DeletionStrategy = .counting,
    pointers: [(field: String, target: String)] = []
  ) {
    var fields = [
      Field(Name.title, .text), Field(Name.score, .integer), Field(Name.note, .text),
    ]
    if case .softDelete(let flag) = deletions { fields.append(Field(flag, .boolean)) }
    fields += pointers.map { Field($0.field, .pointer(to: $0.target)) }
    var entity = Entity(name, fields: fields).deletions(deletions)
    if isFiltered { entity.recordFilter = .field(Name.score, .greaterThanOrEqual, .integer(0)) }
    self.init(entity, title: Name.title, among: Set(pointers.map(\.target)))
  }
}
