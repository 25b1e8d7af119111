// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The fields that a program of a device declares.
public enum Declaration: Sendable {
  /// All fields, as the server has them.
  case present
  /// An older program's, without each class's later field.
  case older
  /// A field for whole numbers as one for any number, in a column of its own.
  case widened
  /// The later field by mistake with another type, in a column of its own: no value can be read.
  case mistyped

  /// Whether the program sees no values of later fields, and edits none.
  var hidesLater: Bool { self == .older || self == .mistyped }

  /// The classes as the program declares them.
  func schema(of present: [WorldClass]) -> Schema {
    Schema(present.map(entity) + present.compactMap(\.pairs))
  }

  private func entity(_ made: WorldClass) -> Entity {
    var entity = made.entity
    if self == .older { entity.fields.removeAll { $0.name == made.later } }
    guard let (name, type) = retyping(of: made) else { return entity }
    // A column cannot keep values of another type.
    for place in entity.fields.indices where entity.fields[place].name == name {
      let former = entity.fields[place]
      entity.fields[place] = Field(
        name, type, column: entity.freeColumn(like: former.column), default: former.defaultValue)
    }
    return entity
  }

  private func retyping(of made: WorldClass) -> (String, FieldType)? {
    switch self {
    case .present, .older: nil
    case .widened: made.whole.map { ($0, .number) }
    case .mistyped: made.later.map { ($0, made.mistake) }
    }
  }

  /// The steps of a story in which programs have several declarations.
  func steps(in classes: [WorldClass]) -> String {
    let steps = classes.flatMap { made -> [String] in
      switch self {
      case .older: return made.later.map { ["reopen without \(made.name) \($0)"] } ?? []
      case .present:
        return [made.later, made.whole].compactMap { name in
          name.flatMap(made.entity.field)?.storyText.map { "reopen with \(made.name) \($0)" }
        }
      case .widened, .mistyped:
        return retyping(of: made).map { Field($0, $1) }?.storyText.map {
          ["reopen with \(made.name) \($0)"]
        } ?? []
      }
    }
    return steps.isEmpty ? "reopen" : steps.joined(separator: "; ")
  }
}

extension Entity {
  fileprivate func freeColumn(like name: String) -> String {
    var column = name + "2"
    while fields.contains(where: { $0.column.lowercased() == column.lowercased() }) {
      column += "2"
    }
    return column
  }
}
