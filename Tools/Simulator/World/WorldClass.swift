// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A class of a world.
///
/// Every class has `title`, which is the row's name and never changes, so that a record is recognised under
/// whatever id it goes. The other fields are edited: `score`, `note`, and the pointers.
public struct WorldClass: Sendable {
  /// The fields that are no pointers.
  enum Name {
    static let title = "title"
    static let score = "score"
    static let note = "note"
    static let flag = "isRemoved"
    /// A field of the server's records that no device declares.
    static let undeclared = "colours"
  }

  /// The name.
  public var name: String
  /// Whether devices keep only rows with a score of zero or more.
  public var isFiltered = false
  /// Whether a row that a user creates belongs to that user alone.
  public var isPrivate = false
  /// How devices find deleted rows.
  public var deletions = DeletionStrategy.counting
  /// The pointers: field and class.
  public var pointers: [(field: String, target: String)] = []

  /// A class without pointers.
  public init(name: String) { self.name = name }

  /// Whether a flag marks deleted rows.
  var isSoft: Bool { if case .softDelete = deletions { true } else { false } }

  var entity: Entity {
    var fields = [
      Field(Name.title, .text), Field(Name.score, .integer), Field(Name.note, .text),
    ]
    if isSoft { fields.append(Field(Name.flag, .boolean)) }
    fields += pointers.map { Field($0.field, .pointer(to: $0.target)) }
    var entity = Entity(name, fields: fields).deletions(deletions)
    if isFiltered { entity.recordFilter = .field(Name.score, .greaterThanOrEqual, .integer(0)) }
    return entity
  }
}
