// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Classes with table and column names that SQLite can tell apart and does not keep to itself.
struct UsableNames {
  private(set) var entities: [Entity]
  /// The names that differ from the server's, as sentences.
  private(set) var notes: [String] = []
  /// The faults beside names of tables and columns.
  private(set) var problems: [SchemaError.Problem] = []

  init(_ entities: [Entity]) {
    self.entities = entities
    // A new name may be taken too, so it is looked at again; each round lengthens the name.
    for _ in 0..<3 {
      problems = Self.problems(of: self.entities)
      let named = problems.filter(\.isAboutLocalNames)
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
        "The column of \(entity.name).\(field) is named \(column): SQLite reserves the field's name, or "
          + "cannot tell it from another.")
    } else if problem.field == nil {
      entity.table += "Rows"
      notes.append(
        "The table of \(entity.name) is named \(entity.table): SQLite reserves the class's name, or "
          + "cannot tell it from another.")
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
