// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel

/// Reads the cells of a story's table.
///
/// It knows the classes and the names of rows introduced so far, so that a misspelt one is found
/// where it stands.
struct StepReader {
  var schema: Schema
  /// The class of each row that has a name.
  private(set) var classes: [String: String] = [:]

  init(schema: Schema) { self.schema = schema }

  /// The class of the row with that name.
  func className(of name: String) -> String { classes[name] ?? "" }

  /// Whether a row has the name.
  func isKnown(_ name: String) -> Bool { classes[name] != nil }

  /// Reads a cell: steps separated by semicolons, some of them bound to a moment.
  mutating func acts(of actor: Actor, _ text: String, at place: Place) throws(ScenarioError)
    -> [Act]
  {
    var reader = PhraseReader(text, at: place)
    var acts: [Act] = []
    var moment: Moment?
    while try !reader.isAtEnd() {
      if try reader.takes("when") {
        moment = try self.moment(&reader)
        try reader.needs(sign: ":")
      }
      acts.append(Act(moment: moment, step: try step(of: actor, &reader)))
      guard try !reader.isAtEnd() else { break }
      guard try reader.takes(sign: ";") else {
        throw reader.expected("\";\" or the end of the cell")
      }
    }
    return acts
  }

  private mutating func step(
    of actor: Actor, _ reader: inout PhraseReader
  ) throws(ScenarioError) -> Step {
    switch actor {
    case .device:
      if let step = try sharingStep(&reader) { return try perhapsRefused(step, &reader) }
      if let step = try edit(&reader) { return try perhapsRefused(step, &reader) }
      if let step = try deviceStep(&reader) { return try perhapsRefused(step, &reader) }
      throw reader.expected(
        "a step of a device (insert, delete, add, remove, NAME.FIELD = …, NAME is …, sync, run for, plan, fetch, evict, "
          + "confirm removals, log in as USER, log out, restore, discard, retry, counted, not counted, undo, redo, watch, sees, "
          + "look away, throw at the next commit, reader, app reads, app writes, sql, reopen, "
          + "switch program, damage, back up, go back to the backup, clock)"
      )
    case .client:
      if let step = try sharingStep(&reader) { return step }
      if let step = try edit(&reader) { return try unstamped(step, &reader) }
      throw reader.expected(
        "a step of the client (insert, delete, add, remove, NAME.FIELD = …, NAME is …)")
    case .network: return try networkStep(&reader)
    case .server: return .rule(try rule(&reader))
    }
  }

  // MARK: Edits

  private mutating func edit(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    if try reader.takes("insert") { return .insert(try insertedRows(&reader)) }
    if try reader.takes("delete") { return .delete(try knownNameList(&reader)) }
    if let relating = try relatingStep(&reader) { return .relate(relating) }
    guard case .word(let word) = try reader.peek(), classes[word] != nil else { return nil }
    let names = try knownNames(&reader)
    try reader.needs(sign: ".")
    let className = classes[word] ?? ""
    var values: [String: StoryValue] = [:]
    repeat {
      let field = try fieldName(of: className, &reader)
      try reader.needs(sign: "=")
      values[field] = try knownValue(&reader)
    } while try reader.takes(sign: ",")
    return .set(names, values)
  }

  /// Rows, with those to whom the app gives rights behind a comma.
  private mutating func insertedRows(
    _ reader: inout PhraseReader
  ) throws(ScenarioError) -> StoryRows {
    var rows = try rows(&reader)
    guard try reader.takes(sign: ",") else { return rows }
    if try reader.takes(phrase: "open to everyone") {
      rows.acl = .open
    } else if try reader.takes(phrase: "readable by everyone") {
      rows.acl = .publicRead
    } else {
      throw reader.expected("\"open to everyone\" or \"readable by everyone\"")
    }
    return rows
  }

  /// `CLASS NAME FIELD VALUE FIELD VALUE …`, where NAME may be a range as `g1..g20`.
  mutating func rows(_ reader: inout PhraseReader) throws(ScenarioError) -> StoryRows {
    let entity = try self.entity(&reader)
    let names = try names("a name for the row", &reader)
    for name in names {
      guard schema.entity(name) == nil, classes[name].map({ $0 == entity.name }) ?? true else {
        throw ScenarioError(
          "\"\(name)\" is a class, or the name of a row of another class; give the row another name",
          at: reader.place)
      }
    }
    var rows = StoryRows(className: entity.name, names: names, fields: [:])
    rows.isAgain = classes[names[0]] != nil
    for name in names { classes[name] = entity.name }
    while case .word(let field) = try reader.peek() {
      if field == "objectId", entity.field("objectId") == nil {
        _ = try reader.next()
        guard case .text(let text) = try reader.next() else {
          throw reader.expected("an id in quotes")
        }
        rows.objectID = text
      } else {
        rows.fields[try fieldName(of: entity.name, &reader)] = try knownValue(&reader)
      }
    }
    return rows
  }

  /// A value in which every name is that of a row.
  private func knownValue(_ reader: inout PhraseReader) throws(ScenarioError) -> StoryValue {
    let before = reader
    let value = try reader.value()
    if let stranger = value.names.first(where: { classes[$0] == nil }) {
      throw before.expected("a value; no row has been named \"\(stranger)\"")
    }
    return value
  }

  // MARK: Names

  func entity(_ reader: inout PhraseReader) throws(ScenarioError) -> Entity {
    let what =
      schema.entities.isEmpty
      ? "a section \"schema\", or the schema of the app, before the first class"
      : "a class of the schema"
    let before = reader
    let name = try reader.word(what)
    guard let entity = schema.entity(name) else { throw before.expected(what) }
    return entity
  }

  func fieldName(
    of className: String, _ reader: inout PhraseReader
  ) throws(ScenarioError) -> String {
    let before = reader
    let name = try reader.word("a field of \(className)")
    guard schema.entity(className)?.field(name) != nil else {
      throw before.expected("a field of \(className)")
    }
    return name
  }

  func knownNames(_ reader: inout PhraseReader) throws(ScenarioError) -> [String] {
    let before = reader
    let names = try names("the name of a row", &reader)
    guard names.allSatisfy({ classes[$0] != nil }) else {
      throw before.expected("the name of a row")
    }
    return names
  }

  /// Names and ranges of names, with commas between them.
  func knownNameList(_ reader: inout PhraseReader) throws(ScenarioError) -> [String] {
    var names = try knownNames(&reader)
    while try reader.takes(sign: ",") { names += try knownNames(&reader) }
    return names
  }

  /// A name, or a range of names that count on, as `g1..g20`.
  private func names(
    _ what: String, _ reader: inout PhraseReader
  ) throws(ScenarioError) -> [String] {
    let first = try reader.word(what)
    guard try reader.takes(sign: "..") else { return [first] }
    let before = reader
    let last = try reader.word("the last name of the range")
    guard let (stem, start) = Self.split(first), let (other, end) = Self.split(last),
      stem == other, start <= end, end - start < 10_000
    else { throw before.expected("a name that counts on from \(first)") }
    return (start...end).map { "\(stem)\($0)" }
  }

  private static func split(_ name: String) -> (String, Int)? {
    let digits = name.reversed().prefix { $0.isNumber }.count
    guard let number = Int(name.suffix(digits)) else { return nil }
    return (String(name.dropLast(digits)), number)
  }
}

extension StoryValue {
  /// The names in the value.
  var names: [String] {
    switch self {
    case .plain, .newFile: []
    case .name(let name), .firstID(let name), .missing(let name): [name]
    case .list(let elements): elements.flatMap(\.names)
    case .object(let members): members.values.flatMap(\.names)
    }
  }
}
