// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// Facts that a story expects at some point: `everywhere: Game g1 score 2`, `A: pending update g1`.
extension StepReader {
  mutating func facts(
    _ reader: inout PhraseReader, actors known: [Actor]
  ) throws(ScenarioError) -> [Expectation.Fact] {
    let actors = try self.actors(&reader, known)
    let statements = try self.statements(&reader)
    try reader.needsEnd("a field, or the end of the line")
    return statements.map {
      Expectation.Fact(actors: actors, line: reader.place.line, statement: $0)
    }
  }

  /// `everywhere:`, `A:` or `A and server:`.
  private func actors(
    _ reader: inout PhraseReader, _ known: [Actor]
  ) throws(ScenarioError) -> [Actor] {
    let choices = ["everywhere"] + known.map(\.title)
    let what = choices.joined(separator: ", ")
    var actors: [Actor] = []
    var isEverywhere = false
    repeat {
      let before = reader
      let word = try reader.word(what)
      isEverywhere = isEverywhere || word == "everywhere"
      if word != "everywhere" {
        guard let actor = known.first(where: { $0.title == word }) else {
          throw before.expected(what)
        }
        actors.append(actor)
      }
    } while try reader.takes("and")
    try reader.needs(sign: ":")
    return isEverywhere ? [] : actors
  }

  private mutating func statements(
    _ reader: inout PhraseReader
  ) throws(ScenarioError) -> [Expectation.Statement] {
    if try reader.takes("no") {
      if try reader.takes("rows") { return [.nothing(.row)] }
      if try reader.takes("conflicts") { return [.nothing(.conflict)] }
      if try reader.takes("files") { return [.nothing(.file)] }
      return try knownNames(&reader).map { .absent(key(.row, $0)) }
    }
    if try reader.takes("nothing") {
      if try reader.takes("pending") { return [.nothing(.pending)] }
      try reader.needs("quarantined")
      return [.nothing(.quarantine)]
    }
    if try reader.takes("stored") { return [.line(try storedFiles(&reader))] }
    if try reader.takes("pending") { return try pending(&reader).map { .line($0) } }
    if try reader.takes("conflict") { return try conflicts(&reader).map { .line($0) } }
    if try reader.takes("quarantined") {
      return try knownNames(&reader).map {
        .line(.quarantined($0, of: classes[$0] ?? ""))
      }
    }
    guard case .word(let word) = try reader.peek(), let entity = schema.entity(word) else {
      throw reader.expected(
        "an expected state (a class and a row, no NAME, no rows, pending, conflict, quarantined, "
          + "stored, nothing pending)")
    }
    let rows = try self.rows(&reader)
    return rows.names.indices.map { index in
      .line(.row(rows.names[index], of: entity, rows.fields(at: index).mapValues(\.text)))
    }
  }

  /// `stored "cup.png"`, or `stored 2 "cup.png"` for two files that an app gave that name.
  private func storedFiles(_ reader: inout PhraseReader) throws(ScenarioError) -> WorldLine {
    var count = 1
    if case .number = try reader.peek() { count = try reader.integer("a number of files") }
    guard let name = try reader.takesText() else {
      throw reader.expected("the name of a file, in quotes")
    }
    return .files(count, named: name)
  }

  private func key(_ section: WorldLine.Section, _ name: String) -> WorldLine.Key {
    WorldLine.Key(section: section, className: classes[name] ?? "", name: name)
  }

  /// `pending update g1`, then nothing, `unknown`, `sending`, `parked REASON CODE`, `blocked by NAME`, or
  /// `waiting for version`, `record`, `cure`, `confirmation` or `retry`.
  private func pending(_ reader: inout PhraseReader) throws(ScenarioError) -> [WorldLine] {
    for adds in [true, false] where try reader.takes(adds ? "add" : "remove") {
      let relating = try relating(&reader, adds: adds)
      let pairs = schema.entities.first {
        $0.membership?.ownerClass == className(of: relating.owner)
          && $0.membership?.field == relating.field
      }
      let state = try state(&reader)
      return relating.members.map {
        .pendingMember(
          adds: adds, $0, relating.owner, relating.field, of: pairs?.name ?? "", state: state)
      }
    }
    let what = "a kind of change (create, update, delete, deleteAfterCreate, add, remove)"
    let before = reader
    guard let kind = OutboxEntry.Kind(rawValue: try reader.word(what)) else {
      throw before.expected(what)
    }
    let names = try knownNames(&reader)
    let state = try state(&reader)
    return names.map { .pending(kind.rawValue, $0, of: classes[$0] ?? "", state: state) }
  }

  /// How a change waits; empty for one that is due.
  private func state(_ reader: inout PhraseReader) throws(ScenarioError) -> String {
    var state = ""
    if try reader.takes("unknown") {
      state = "unknown"
    } else if try reader.takes("parked") {
      let before = reader
      guard let reason = Refusal.Reason(rawValue: try reader.word("a reason")) else {
        throw before.expected(
          "a reason (refused, noPermission, undecidable, unserializable, exhausted, parentGone)")
      }
      state = "parked \(reason.rawValue)"
      if case .number = try reader.peek() { state += " \(try reader.integer("a code"))" }
    } else if try reader.takes(phrase: "blocked by") {
      state = "blocked by \(try oneName(&reader))"
    } else if try reader.takes(phrase: "waiting for") {
      state = "waiting for \(try reader.word("version, record, cure, confirmation or retry"))"
    }
    return state
  }

  /// `conflict remoteWon g1 score 1`, of one row or of a range.
  private func conflicts(
    _ reader: inout PhraseReader
  ) throws(ScenarioError) -> [WorldLine] {
    let before = reader
    guard let reason = ConflictRecord.Reason(rawValue: try reader.word("a reason")) else {
      throw before.expected(
        "a reason (remoteWon, localWon, resolved, resolverFailed, deletedRemotely, editedRemotely, "
          + "removed, removedByTrigger, duplicateMerged)")
    }
    let names = try knownNames(&reader)
    guard let className = names.first.flatMap({ classes[$0] }),
      let entity = schema.entity(className), names.allSatisfy({ classes[$0] == className })
    else { throw before.expected("the name of a row, or a range of rows of one class") }
    var rows = StoryRows(className: className, names: names, fields: [:])
    while case .word = try reader.peek() {
      let field = try fieldName(of: className, &reader)
      rows.fields[field] = try reader.value()
    }
    return names.indices.map { index in
      .conflict(
        reason.rawValue, names[index], of: entity, rows.fields(at: index).mapValues(\.text))
    }
  }

  func oneName(_ reader: inout PhraseReader) throws(ScenarioError) -> String {
    let before = reader
    let names = try knownNames(&reader)
    guard let name = names.first, names.count == 1 else { throw before.expected("one name") }
    return name
  }
}
