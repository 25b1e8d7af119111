// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The fields that a program of a device declares.
public enum Declaration: Sendable {
  /// All fields, as the server has them.
  case present
  /// An older program's, without the field `note`.
  case withoutNotes
  /// The field `score` as any number, in a column of its own.
  case numberScores
  /// The field `note` by mistake as a number, in a column of its own: no text can be read.
  case numberNotes

  /// Whether the program sees no texts of the field `note`, and edits none.
  var hidesNotes: Bool { self == .withoutNotes || self == .numberNotes }

  /// The classes as the program declares them.
  func schema(of present: Schema) -> Schema {
    Schema(present.entities.map(entity))
  }

  private func entity(_ present: Entity) -> Entity {
    var fields = present.fields
    switch self {
    case .present: return present
    case .withoutNotes: fields.removeAll { $0.name == WorldClass.Name.note }
    case .numberScores: retype(WorldClass.Name.score, in: &fields)
    case .numberNotes: retype(WorldClass.Name.note, in: &fields)
    }
    // Made anew, so that its fields are found by name.
    var entity = Entity(present.name, table: present.table, fields: fields)
      .deletions(present.deletionStrategy)
    entity.recordFilter = present.recordFilter
    return entity
  }

  /// A column cannot keep values of another type.
  private func retype(_ name: String, in fields: inout [Field]) {
    for place in fields.indices where fields[place].name == name {
      fields[place] = Field(name, .number, column: name + "2")
    }
  }

  /// The steps of a story.
  func steps(in classes: [WorldClass]) -> String {
    let step: (WorldClass) -> String =
      switch self {
      case .present: { _ in "reopen" }
      case .withoutNotes: { "reopen without \($0.name) \(WorldClass.Name.note)" }
      case .numberScores: { "reopen with \($0.name) \(WorldClass.Name.score):number" }
      case .numberNotes: { "reopen with \($0.name) \(WorldClass.Name.note):number" }
      }
    return self == .present ? "reopen" : classes.map(step).joined(separator: "; ")
  }
}
