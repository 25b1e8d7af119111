// Ferry: offline-first sync for Parse Server. MIT licence.

extension Field {
  func problems(of entity: Entity) -> [SchemaError.Problem] {
    [
      nameProblem(of: entity), columnProblem(of: entity), targetProblem(of: entity),
      defaultProblem(of: entity), mergeProblem(of: entity),
    ].compactMap(\.self)
  }

  func problem(
    _ code: SchemaError.Code, of entity: Entity, _ message: String
  ) -> SchemaError.Problem {
    .init(code: code, className: entity.name, field: name, message: message)
  }

  private func nameProblem(of entity: Entity) -> SchemaError.Problem? {
    if Names.serverFields.contains(name) {
      return problem(
        .reservedName, of: entity,
        "The field \(name) of \(entity.name) cannot be declared: the server reserves that name. "
          + "Leave it out; every record has it anyway.")
    }
    guard !Names.isIdentifier(name) else { return nil }
    return problem(
      .fieldName, of: entity,
      "\"\(name)\" cannot be the name of a field of \(entity.name): the server allows letters of "
        + "A to Z, digits and underscores, with a letter in front. Write the name as the server "
        + "has it.")
  }

  private func columnProblem(of entity: Entity) -> SchemaError.Problem? {
    let wayOut =
      "give the field another column, such as \"\(name)Value\"."
    if Names.ownColumns.contains(Names.folded(column)) {
      // The rule for field names reports these already.
      guard !Names.serverFields.contains(name) else { return nil }
      return problem(
        .reservedName, of: entity,
        "The column \"\(column)\" of \(entity.name) cannot be used: every table has one of that "
          + "name already; " + wayOut)
    }
    if Names.isKeyword(column) {
      return problem(
        .columnName, of: entity,
        "The column \"\(column)\" of \(entity.name) cannot be used: it is a keyword of SQL; "
          + wayOut)
    }
    if !Names.isSQLIdentifier(column), column != name {
      return problem(
        .columnName, of: entity,
        "The column \"\(column)\" of \(entity.name) cannot be used: names of columns consist of "
          + "letters of A to Z, digits and underscores, with no digit in front; " + wayOut)
    }
    return nil
  }

  private func targetProblem(of entity: Entity) -> SchemaError.Problem? {
    switch type {
    case .pointer(let target), .relation(let target):
      // Pointers to the server's internal classes are allowed: Ferry only passes them on.
      let plain = target.hasPrefix("_") ? String(target.dropFirst()) : target
      guard !Names.isIdentifier(plain) else { return nil }
      return problem(
        .targetClass, of: entity,
        "The field \(name) of \(entity.name) points to \"\(target)\", which cannot be the name of "
          + "a class. Write the name as the server has it.")
    case .text, .integer, .number, .boolean, .date, .bytes, .object, .array, .geoPoint, .polygon,
      .file:
      return nil
    }
  }

  private func defaultProblem(of entity: Entity) -> SchemaError.Problem? {
    if case .relation = type, !defaultValue.isNull {
      return problem(
        .defaultValue, of: entity,
        "The field \(name) of \(entity.name) is a relation, which is read only and cannot have a "
          + "default; leave the default out.")
    }
    if defaultValue.textOfColumn?.utf8.contains(0) == true {
      return problem(
        .defaultValue, of: entity,
        "The default of the field \(name) of \(entity.name) cannot be used: it contains the character "
          + "U+0000, which no column can have in its default. Give another default, or none.")
    }
    guard let reason = defaultValue.reason(againstWritingTo: type) else { return nil }
    return problem(
      .defaultValue, of: entity,
      "The default of the field \(name) of \(entity.name) cannot be used: \(reason.sentence) "
        + "Give another default, or none.")
  }

  private func mergeProblem(of entity: Entity) -> SchemaError.Problem? {
    guard let merge else { return nil }
    if merge == .increment, entity.serializer != nil {
      return problem(
        .fieldMerge, of: entity,
        "The field \(name) of \(entity.name) cannot have the merge increment: the class has its own wire format, "
          + "which sends no additions. Give the field no merge.")
    }
    guard !merge.suits(type) else { return nil }
    return problem(
      .fieldMerge, of: entity,
      "The field \(name) of \(entity.name) cannot have the merge \(merge.rawValue), which needs "
        + "\(merge.neededType), and the field has the type \(type.name). Give the field another type, or no merge."
    )
  }
}

extension Value {
  /// A value that a column holds as this very text, and not as JSON; nil for any other value.
  fileprivate var textOfColumn: String? {
    switch self {
    case .string(let text): text
    case .pointer(let pointer): pointer.objectID
    case .null, .integer, .number, .boolean, .date, .bytes, .object, .array, .geoPoint, .polygon,
      .file, .relation:
      nil
    }
  }
}
