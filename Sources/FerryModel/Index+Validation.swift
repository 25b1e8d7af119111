// Ferry: offline-first sync for Parse Server. MIT licence.

extension Entity {
  /// The rules that the indexes of the class break.
  var indexProblems: [SchemaError.Problem] {
    guard let indexes else { return [] }
    var problems: [SchemaError.Problem] = []
    if indexes.count > Schema.maximumIndexes {
      problems.append(
        problem(
          .tooManyIndexes,
          "The class \(name) declares \(indexes.count) indexes, and it can have \(Schema.maximumIndexes). Each "
            + "of them slows down every write; keep those that queries use."))
    }
    var seen = Set<Index>()
    for index in indexes {
      if !seen.insert(index).inserted {
        problems.append(
          problem(
            .duplicateIndex, "The class \(name) has the index \(index.words) twice; keep one."))
      } else if let found = self.problem(with: index) {
        problems.append(found)
      }
    }
    return problems
  }

  private func problem(with index: Index) -> SchemaError.Problem? {
    guard !index.fields.isEmpty else {
      return problem(
        .emptyIndex,
        "An index of the class \(name) names no field; name one, or leave the index out.")
    }
    guard index.fields.count <= Schema.maximumFieldsOfIndex else {
      return problem(
        .indexField,
        "An index of the class \(name) names \(index.fields.count) fields, and it can have "
          + "\(Schema.maximumFieldsOfIndex). Keep those by which queries find most.")
    }
    var seen = Set<String>()
    for field in index.fields {
      guard seen.insert(field).inserted else {
        return problem(
          .indexField,
          "The index \(index.words) of the class \(name) names the field \(field) twice; keep one.")
      }
      if let fault = fault(ofIndexed: field) {
        return problem(
          .indexField, "The index \(index.words) of the class \(name) cannot be made: \(fault)")
      }
    }
    return nil
  }

  /// The fault of a field of an index with its remedy; nil for a field that an index can have.
  private func fault(ofIndexed name: String) -> String? {
    if Index.serverFields.contains(name) { return nil }
    guard let field = field(name) else {
      return
        "the field \(name) is not declared. Declare it, or name another. Besides declared fields, an index "
        + "may have \(Index.serverFields.joined(separator: ", "))."
    }
    guard !field.type.isOrdered else { return nil }
    return
      "the field \(name) is of the type \(field.type.name), of which no condition uses an index. Leave it out."
  }
}

extension Index {
  /// The fields that every record has and that an index may have, too.
  fileprivate static let serverFields = ["objectId", "createdAt", "updatedAt"]

  /// The index in a sentence.
  fileprivate var words: String { "(\(fields.joined(separator: ", ")))" }
}

extension Schema {
  /// The greatest number of indexes that a class may declare.
  public static let maximumIndexes = 64
  /// The greatest number of fields that an index may have.
  public static let maximumFieldsOfIndex = 32
}
