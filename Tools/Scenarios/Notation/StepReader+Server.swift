// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A rule of the server, which holds from now on.
enum ServerRule: Sendable, Hashable {
  /// Finds leave these rows out, counts do not: an `afterFind` trigger.
  case hides(className: String, [String])
  /// Writes that would give a field that value are refused with a code: a `beforeSave` trigger.
  case refuses(className: String, field: String, StoryValue, code: Int)
  /// Writes get another value into a field than was sent: a `beforeSave` trigger.
  case sets(className: String, field: String, StoryValue)
  /// The class has no trigger and no permission is asked for any more.
  case opens(className: String)
  /// One operation on the class needs a user, or everything does.
  case needsLogin(className: String, String?)
  /// One operation on the class is denied to everyone.
  case denies(className: String, String)
  /// Who may do what with one row.
  case access([String], Access)
  /// Who may do what with each row that is created from now on: a `beforeSave` trigger.
  case newAccess(className: String, Access)
  /// A column is dropped, and what was in it.
  case loses(className: String, field: String)
  /// Everybody has to log in again.
  case endsSessions
  /// The server starts again, with Ferry's Cloud Code that logs deletions of these classes; without it if there are none.
  case restarts(logging: [String])

  enum Access: Sendable, Hashable {
    case readOnly, hidden, free
    /// Only the row's creator reads and writes it; this does not apply to existing rows.
    case `private`
    /// Only this user reads and writes it.
    case kept(by: String)
  }
}

// Steps of the server, which set its rules: `Game finds hide g2`, `g1 is read-only`.
extension StepReader {
  func rule(_ reader: inout PhraseReader) throws(ScenarioError) -> ServerRule {
    if try reader.takes(phrase: "sessions end") { return .endsSessions }
    if try reader.takes(phrase: "restart without Cloud Code") { return .restarts(logging: []) }
    if try reader.takes(phrase: "restart with Cloud Code") {
      return .restarts(logging: schema.entities.map(\.name))
    }
    if try reader.takes("new") {
      let className = try entity(&reader).name
      if try reader.takes(phrase: "is private") {
        return .newAccess(className: className, .private)
      }
      return .newAccess(className: className, try access(&reader))
    }
    let before = reader
    let name = try reader.word("a class or the name of a row")
    guard schema.entity(name) != nil else {
      guard classes[name] != nil else { throw before.expected("a class or the name of a row") }
      reader = before
      let names = try knownNames(&reader)
      return .access(names, try access(&reader))
    }
    if try reader.takes(phrase: "finds hide") {
      return .hides(className: name, try knownNames(&reader))
    }
    if try reader.takes(phrase: "saves refuse") {
      let field = try fieldName(of: name, &reader)
      let value = try reader.value()
      try reader.needs("with")
      return .refuses(className: name, field: field, value, code: try reader.integer("a code"))
    }
    if try reader.takes(phrase: "saves set") {
      let field = try fieldName(of: name, &reader)
      return .sets(className: name, field: field, try reader.value())
    }
    if try reader.takes("loses") {
      return .loses(className: name, field: try fieldName(of: name, &reader))
    }
    if try reader.takes(phrase: "is open") { return .opens(className: name) }
    if try reader.takes(phrase: "needs login") {
      let operation = try reader.takes("to") ? operation(&reader) : nil
      return .needsLogin(className: name, operation)
    }
    if try reader.takes("denies") { return .denies(className: name, try operation(&reader)) }
    throw reader.expected(
      "a rule (finds hide NAMES, saves refuse FIELD VALUE with CODE, saves set FIELD VALUE, loses "
        + "FIELD, needs login, needs login to OPERATION, denies OPERATION, is open)")
  }

  private func operation(_ reader: inout PhraseReader) throws(ScenarioError) -> String {
    let operations = ["find", "get", "count", "create", "update", "delete", "addField"]
    let before = reader
    let operation = try reader.word(operations.joined(separator: ", "))
    guard operations.contains(operation) else {
      throw before.expected(operations.joined(separator: ", "))
    }
    return operation
  }

  private func access(
    _ reader: inout PhraseReader
  ) throws(ScenarioError) -> ServerRule.Access {
    if try reader.takes(phrase: "is read-only") { return .readOnly }
    if try reader.takes(phrase: "is hidden") { return .hidden }
    if try reader.takes(phrase: "is free") { return .free }
    if try reader.takes(phrase: "is private to") { return .kept(by: try reader.word("a user")) }
    throw reader.expected("\"is read-only\", \"is hidden\", \"is private to USER\" or \"is free\"")
  }

  /// `g1.score = 2 with its old stamp`.
  func unstamped(_ step: Step, _ reader: inout PhraseReader) throws(ScenarioError) -> Step {
    guard case .set(let names, let fields) = step, let name = names.first,
      try reader.takes(phrase: "with its old stamp")
    else { return step }
    return .setUnstamped(name, fields)
  }
}
