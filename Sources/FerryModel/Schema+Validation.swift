// Ferry: offline-first sync for Parse Server. MIT licence.

extension Schema {
  /// The greatest number of fields that a class may declare.
  public static let maximumFields = 500

  /// Checks every rule of a schema.
  ///
  /// A store calls this when it opens. A pointer's class need not be registered. Ferry keeps and
  /// sends such pointers, and ignores their targets.
  ///
  /// - Throws: `SchemaError` with all problems at once.
  public func validate() throws(SchemaError) {
    let problems = self.problems
    if !problems.isEmpty { throw SchemaError(problems: problems) }
  }

  private var problems: [SchemaError.Problem] {
    if entities.isEmpty {
      return [
        .init(
          code: .noClasses,
          message: "The schema registers no class, so there is nothing to keep in step; "
            + "add at least one class.")
      ]
    }
    var problems: [SchemaError.Problem] = []
    var classes = Set<String>()
    var tables: [String: Entity] = [:]
    for entity in entities {
      guard classes.insert(entity.name).inserted else {
        problems.append(
          entity.problem(
            .duplicateClass,
            "The class \(entity.name) is registered twice; declare all its fields in one place."))
        continue
      }
      problems += entity.problems
      if let problem = membershipProblem(of: entity) { problems.append(problem) }
      if let twin = tables.updateValue(entity, forKey: Names.folded(entity.table)) {
        problems.append(
          entity.problem(
            .twinTables,
            "The classes \(twin.name) and \(entity.name) would share the table "
              + "\(Names.shared(twin.table, entity.table)); give one of them another, such as "
              + "\"\(entity.table)2\"."))
      }
    }
    return problems
  }
}

extension Entity {
  fileprivate var problems: [SchemaError.Problem] {
    [classNameProblem, tableNameProblem, fieldCountProblem, softDeleteProblem, accessProblem]
      .compactMap(\.self)
      + fieldsProblems + filterProblems + indexProblems
  }

  func problem(_ code: SchemaError.Code, _ message: String) -> SchemaError.Problem {
    .init(code: code, className: name, message: message)
  }

  private var classNameProblem: SchemaError.Problem? {
    guard !Names.isClass(name) else { return nil }
    let known = Names.systemClasses.sorted().joined(separator: ", ")
    return problem(
      .className,
      name.hasPrefix("_")
        ? "The class \(name) is internal to the server and cannot be synced. Of the classes with an "
          + "underscore in front, only \(known) can be."
        : "\"\(name)\" cannot be the name of a class: the server allows letters of A to Z, "
          + "digits and underscores, with a letter in front. Write the name as the server has it.")
  }

  private var tableNameProblem: SchemaError.Problem? {
    let folded = Names.folded(table)
    let wayOut = "give the class another table, such as \"\(name)Rows\"."
    if let prefix = ["sqlite_", "ferry_"].first(where: folded.hasPrefix) {
      return problem(
        .tableName,
        "The table \"\(table)\" cannot be used: names that start with \(prefix) are taken; "
          + wayOut)
    }
    if Names.isKeyword(table) {
      return problem(
        .tableName,
        "The table \"\(table)\" cannot be used: it is a keyword of SQL; " + wayOut)
    }
    // The rule for class names reports these already.
    if !Names.isSQLIdentifier(table), table != name {
      return problem(
        .tableName,
        "The table \"\(table)\" cannot be used: names of tables consist of letters of A to Z, "
          + "digits and underscores, with no digit in front; " + wayOut)
    }
    return nil
  }

  private var fieldCountProblem: SchemaError.Problem? {
    guard fields.count > Schema.maximumFields else { return nil }
    return problem(
      .tooManyFields,
      "The class \(name) declares \(fields.count) fields, and a table here can hold "
        + "\(Schema.maximumFields); leave out those the app does not need.")
  }

  private var softDeleteProblem: SchemaError.Problem? {
    guard case .softDelete(let flag) = deletionStrategy else { return nil }
    guard let field = field(flag) else {
      return problem(
        .softDeleteField,
        "The class \(name) marks deleted rows in the field \(flag), which is not declared; "
          + "add it as a Boolean field.")
    }
    guard field.type != .boolean else { return nil }
    return problem(
      .softDeleteField,
      "The class \(name) marks deleted rows in the field \(flag), which is not a Boolean; "
        + "declare it as a Boolean field.")
  }

  private var accessProblem: SchemaError.Problem? {
    defaultAccess.objection.map {
      problem(
        .access,
        "New records of \(name) cannot have the declared access list. \($0) Name a user, a role, or "
          + "everyone.")
    }
  }

  private var filterProblems: [SchemaError.Problem] {
    guard let recordFilter else { return [] }
    var objections = recordFilter.objections(asFilterOf: self)
    if serializer != nil {
      objections.append(
        "The class has its own wire format, and the server cannot filter by it.")
    }
    if deletionStrategy == .never {
      objections.append(
        "Ferry finds rows that leave a filter as it finds deleted ones, so the class needs a "
          + "deletion strategy other than never.")
    }
    return objections.map {
      problem(.filter, "The filter of \(name) cannot be used: \($0) Change the filter.")
    }
  }

  private var fieldsProblems: [SchemaError.Problem] {
    var problems: [SchemaError.Problem] = []
    var names = Set<String>()
    var columns: [String: Field] = [:]
    for field in fields {
      guard names.insert(field.name).inserted else {
        problems.append(
          field.problem(
            .duplicateField, of: self,
            "The field \(field.name) of \(name) is declared twice; keep one of them."))
        continue
      }
      problems += field.problems(of: self)
      if let twin = columns.updateValue(field, forKey: Names.folded(field.column)) {
        problems.append(
          field.problem(
            .twinColumns, of: self,
            "The fields \(twin.name) and \(field.name) of \(name) would share the column "
              + "\(Names.shared(twin.column, field.column)); give one of them another, such as "
              + "\"\(field.name)2\"."))
      }
    }
    return problems
  }
}
