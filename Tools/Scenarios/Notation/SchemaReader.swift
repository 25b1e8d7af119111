// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The classes of a story, one line each: `Game title:text score:integer league:League tags:array`.
extension PhraseReader {
  /// `CLASS FIELD:TYPE FIELD:TYPE …`; a type that is a class is a pointer to it.
  mutating func declaredFields() throws(ScenarioError) -> StoryFields {
    StoryFields(className: try word("the name of a class"), fields: try fields())
  }

  private mutating func fields() throws(ScenarioError) -> [Field] {
    var fields: [Field] = []
    while case .word = try peek() {
      let name = try word("the name of a field")
      try needs(sign: ":")
      let type = try word(
        "a type (\(FieldType.storyWords.keys.sorted().joined(separator: ", ")), or a class)")
      fields.append(Field(name, FieldType.storyWords[type] ?? .pointer(to: type)))
    }
    return fields
  }

  /// `FIELD by MERGE`, of a field that the devices declare.
  private mutating func declareMerge(in declared: inout StoryClass) throws(ScenarioError) {
    let field = try mergedField(of: declared.shared)
    for index in declared.shared.indices where declared.shared[index].name == field.name {
      declared.shared[index].merge = field.merge
    }
  }

  /// `FIELD by MERGE`: one of the fields, with the merge.
  mutating func mergedField(of fields: [Field]) throws(ScenarioError) -> Field {
    let before = self
    let name = try word("a field")
    guard var field = fields.first(where: { $0.name == name }) else {
      throw before.expected("a field that both sides declare")
    }
    guard try takes("by") else { throw expected("\"by\"") }
    let names = FieldMerge.allCases.map(\.rawValue).joined(separator: ", ")
    let beforeMerge = self
    guard let merge = FieldMerge(rawValue: try word("a merge (\(names))")) else {
      throw beforeMerge.expected("a merge (\(names))")
    }
    field.merge = merge
    return field
  }

  /// `FIELD:CLASS`: a relation whose members the devices keep.
  private mutating func relation() throws(ScenarioError) -> Field {
    let name = try word("the name of a relation")
    try needs(sign: ":")
    return Field(name, .relation(to: try word("the class of the members")))
  }

  /// A class, with what is particular about it behind commas.
  mutating func entity() throws(ScenarioError) -> StoryClass {
    let className = try word("the name of a class")
    var declared = StoryClass(name: className, shared: try fields())
    while try takes(sign: ",") {
      if try takes(phrase: "soft delete by") {
        declared.deletions = .softDelete(field: try word("a field"))
      } else if try takes(phrase: "deletion log") {
        declared.deletions = .deletionLog
      } else if try takes(phrase: "cloud function") {
        declared.deletions = .cloudFunction
      } else if try takes(phrase: "full scan") {
        declared.deletions = .fullScan
      } else if try takes(phrase: "never removed") {
        declared.deletions = .never
      } else if try takes("private") {
        declared.access = .creator()
      } else if try takes(phrase: "on demand") {
        declared.isOnDemand = true
      } else if try takes("merge") {
        try declareMerge(in: &declared)
      } else if try takes("members") {
        declared.relations.append(try relation())
      } else if try takes("where") {
        declared.filter = try filter(of: declared.shared + declared.onlyHere)
      } else if try takes(phrase: "only there") {
        declared.onlyThere = try fields()
      } else if try takes(phrase: "only here") {
        declared.onlyHere = try fields()
      } else {
        throw expected(
          "\"soft delete by FIELD\", \"deletion log\", \"cloud function\", \"full scan\", \"never removed\", \"private\", \"on demand\", \"members FIELD:CLASS\", "
            + "\"where FIELD >= VALUE\", \"merge FIELD by set\", \"only there FIELD:TYPE\" or \"only here FIELD:TYPE\""
        )
      }
    }
    try needsEnd("a field as score:integer, or the end of the line")
    return declared
  }
}

/// A class of a story's schema.
struct StoryClass: Sendable {
  var name: String
  /// The fields that the devices and the server declare.
  var shared: [Field]
  /// Fields that the devices know nothing of.
  var onlyThere: [Field] = []
  /// Fields that the server has not heard of.
  var onlyHere: [Field] = []
  var deletions = DeletionStrategy.counting
  /// The access list with which the devices create its records.
  var access = DefaultAccess.server
  /// Whether syncs leave the class to fetches.
  var isOnDemand = false
  /// The relations whose members the devices keep.
  var relations: [Field] = []
  /// Which of its records the devices keep; nil for all.
  var filter: Condition?

  /// The class as the devices declare it.
  var here: Entity { entity(shared + relations + onlyHere) }
  /// The class as the server declares it.
  var there: Entity { Entity(name, fields: shared + relations + onlyThere) }
  /// Every field that a story may speak of.
  var whole: Entity { entity(shared + relations + onlyHere + onlyThere) }
  /// The classes of the members, which the server does not have.
  var pairs: [Entity] {
    relations.compactMap { field in
      guard case .relation(let target) = field.type else { return nil }
      return Entity(membersOf: field.name, in: name, from: target)
    }
  }

  private func entity(_ fields: [Field]) -> Entity {
    var entity = Entity(name, fields: fields).deletions(deletions).access(access)
    entity.recordFilter = filter
    entity.isOnDemand = isOnDemand
    return entity
  }
}

extension StepReader {
  /// Fields that a class gains.
  func fields(_ reader: inout PhraseReader) throws(ScenarioError) -> StoryFields {
    let before = reader
    let fields = try reader.declaredFields()
    guard schema.entity(fields.className) != nil else {
      throw before.expected("a class of the schema")
    }
    return fields
  }
}
