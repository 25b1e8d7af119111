// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Classes with table and column names that SQLite can tell apart and does not keep to itself.
struct UsableNames {
  private(set) var entities: [Entity]
  /// What was named otherwise than on the server, as sentences.
  private(set) var notes: [String] = []
  /// What is wrong beside names of tables and columns.
  private(set) var problems: [SchemaError.Problem] = []

  init(_ entities: [Entity]) {
    self.entities = entities
    // A new name may be taken too, so it is looked at again; each round lengthens the name.
    for _ in 0..<3 {
      problems = Self.problems(of: self.entities)
      let named = problems.filter(\.isAboutNames)
      guard !named.isEmpty else { return }
      for problem in named { rename(problem) }
    }
    problems = Self.problems(of: self.entities)
  }

  private mutating func rename(_ problem: SchemaError.Problem) {
    guard let index = entities.lastIndex(where: { $0.name == problem.className }) else { return }
    var entity = entities[index]
    if let field = problem.field,
      let position = entity.fields.lastIndex(where: { $0.name == field })
    {
      entity.fields[position].column += "Value"
      let column = entity.fields[position].column
      notes.append(
        "\(entity.name).\(field) is named \(column) in the table here: SQLite could not tell it "
          + "from another name, or keeps it to itself.")
    } else if problem.field == nil {
      entity.table += "Rows"
      notes.append(
        "\(entity.name) is kept in the table \(entity.table) here: SQLite could not tell it from "
          + "another name, or keeps it to itself.")
    }
    entities[index] = entity
  }

  private static func problems(of entities: [Entity]) -> [SchemaError.Problem] {
    do throws(SchemaError) {
      try Schema(entities).validate()
      return []
    } catch {
      return error.problems
    }
  }
}
