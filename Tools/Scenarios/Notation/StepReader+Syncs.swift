// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

// Steps of devices alone: syncs, and what happens between two lives of an app.
extension StepReader {
  mutating func deviceStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    if try reader.takes("sync") {
      let scope = try scope(&reader)
      var moment: Moment?
      if try reader.takes(sign: ",") {
        try reader.needs("killed when")
        moment = try self.moment(&reader)
      }
      return .sync(scope, killedWhen: moment, try claims(&reader))
    }
    if let step = try runStep(&reader) { return step }
    if try reader.takes("plan") { return .plan(try scope(&reader), try claims(&reader)) }
    if try reader.takes(phrase: "confirm removals") { return .confirmRemovals }
    if let step = try onDemandStep(&reader) { return step }
    if try reader.takes(phrase: "log in as") {
      let user = try reader.word("the name of a user")
      guard try reader.takes("and") else { return .login(user) }
      let other = try reader.word("the name of another user")
      try reader.needs("at once")
      return .loginAtOnce([user, other])
    }
    if try reader.takes(phrase: "log out") { return .logout }
    if try reader.takes("token") { return .token(try tokenFault(&reader)) }
    if try reader.takes("restore") { return .restore(try oneName(&reader)) }
    if try reader.takes("discard") { return .discard(try knownNames(&reader)) }
    if try reader.takes(phrase: "retry quarantined") {
      return .retryQuarantined(try knownNames(&reader))
    }
    if try reader.takes("retry") { return .retry(try knownNames(&reader)) }
    if try reader.takes("counted") { return .decide(try knownNames(&reader), counted: true) }
    if try reader.takes(phrase: "not counted") {
      return .decide(try knownNames(&reader), counted: false)
    }
    if try reader.takes("undo") { return .undo }
    if try reader.takes("redo") { return .redo }
    if let step = try listStep(&reader) { return step }
    if let step = try historyStep(&reader) { return step }
    if let step = try appSQLStep(&reader) { return step }
    if try reader.takes("sql") { return try sqlStep(&reader) }
    if try reader.takes("reopen") { return .reopen(try reopening(&reader)) }
    if try reader.takes(phrase: "damage page") {
      let page = try reader.integer("the number of a page")
      try reader.needs("of")
      return .damage(page: page, className: try entity(&reader).name)
    }
    return try wholeDevice(&reader)
  }

  private func sqlStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step {
    guard try reader.takes("refused") else {
      return .sql(reader.remainder(), refusal: nil)
    }
    let words = try? reader.takesText()
    return .sql(reader.remainder(), refusal: SQLRefusal(words: words ?? ""))
  }

  private mutating func reopening(
    _ reader: inout PhraseReader
  ) throws(ScenarioError) -> Reopening {
    if try reader.takes("with") {
      let change = try added(&reader)
      schema = schema.reopened(change)
      return change
    }
    guard try reader.takes("without") else { return .unchanged }
    let className = try entity(&reader).name
    guard case .word = try reader.peek() else { return .hiding(className: className) }
    return .losing(field: try fieldName(of: className, &reader), className: className)
  }

  /// `all of Game`, `Game where score < 10`, `Game merge likes by increment` or `Game rating:number`.
  private func added(_ reader: inout PhraseReader) throws(ScenarioError) -> Reopening {
    if try reader.takes(phrase: "all of") {
      return .keeping(nil, className: try entity(&reader).name)
    }
    var ahead = reader
    let entity = try self.entity(&ahead)
    if try ahead.takes("merge") {
      reader = ahead
      return .merging(try reader.mergedField(of: entity.fields), className: entity.name)
    }
    guard try ahead.takes("where") else { return .gaining(try fields(&reader)) }
    reader = ahead
    return .keeping(try reader.filter(of: entity.fields), className: entity.name)
  }

  private func scope(_ reader: inout PhraseReader) throws(ScenarioError) -> RunScope {
    var scope = RunScope(stages: try stages(&reader))
    if try reader.takes(phrase: "asking for") { scope.classes = try classNames(&reader) }
    if try reader.takes(phrase: "comparing everything") { scope.comparison = .everything }
    if try reader.takes(phrase: "adopting anonymous data") { scope.adopting = [.anonymousData] }
    return scope
  }

  /// `Game and League`, or `nothing`.
  private func classNames(_ reader: inout PhraseReader) throws(ScenarioError) -> Set<String> {
    guard try !reader.takes("nothing") else { return [] }
    var names: Set<String> = [try entity(&reader).name]
    while try reader.takes("and") { names.insert(try entity(&reader).name) }
    return names
  }

  private func tokenFault(_ reader: inout PhraseReader) throws(ScenarioError) -> TokenFault {
    for fault in TokenFault.allCases where try reader.takes(phrase: fault.phrase) { return fault }
    throw reader.expected(TokenFault.allCases.map { "\"\($0.phrase)\"" }.joined(separator: ", "))
  }

  /// Steps that concern a device as a whole.
  private func wholeDevice(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    if try reader.takes(phrase: "switch program") { return .switchProgram }
    if try reader.takes(phrase: "back up") { return .backUp }
    if try reader.takes(phrase: "go back to the backup") {
      return .goBack(toBackupOf: try reader.takes("of") ? try reader.word("a device") : nil)
    }
    guard try reader.takes("clock") else { return nil }
    let distance = try reader.duration()
    if try reader.takes("ahead") { return .setClock(ahead: distance) }
    try reader.needs("behind")
    return .setClock(ahead: .zero - distance)
  }

  private func stages(_ reader: inout PhraseReader) throws(ScenarioError) -> StageSelection {
    let choice: (StageName) -> StageSelection
    if try reader.takes("only") {
      choice = { .only($0) }
    } else if try reader.takes("through") {
      choice = { .through($0) }
    } else {
      return .all
    }
    let names = StageName.allCases.map(\.rawValue).joined(separator: ", ")
    let before = reader
    guard let stage = StageName(rawValue: try reader.word("a stage (\(names))")) else {
      throw before.expected("a stage (\(names))")
    }
    return choice(stage)
  }

  // MARK: Moments

  /// `POST Game leaves`, `POST Game is done`, `Game is imported`, or `it waits`.
  func moment(_ reader: inout PhraseReader) throws(ScenarioError) -> Moment {
    if try reader.takes(phrase: "it waits") { return .waits }
    if case .word(let word) = try reader.peek(), schema.entity(word) != nil {
      _ = try reader.next()
      try reader.needs("is imported")
      return .isImported(word)
    }
    let pattern = try request(&reader)
    if try reader.takes("leaves") { return .leaves(pattern) }
    if try reader.takes(phrase: "is done") { return .isDone(pattern) }
    throw reader.expected("\"leaves\" or \"is done\"")
  }

  /// `POST Game`, `2nd PUT g1`, `every LIST Game`.
  func request(_ reader: inout PhraseReader) throws(ScenarioError) -> RequestPattern {
    var occurrence = RequestPattern.Occurrence.nth(1)
    if try reader.takes("every") {
      occurrence = .from(1)
    } else if case .ordinal(let number) = try reader.peek() {
      _ = try reader.next()
      occurrence = try reader.takes(phrase: "and later") ? .from(number) : .nth(number)
    }
    let verbs = RequestPattern.Verb.allCases.map(\.rawValue).joined(separator: ", ")
    let before = reader
    guard let verb = RequestPattern.Verb(rawValue: try reader.word("a request (\(verbs))")) else {
      throw before.expected("a request (\(verbs))")
    }
    if verb == .upload {
      guard let name = try reader.takesText() else {
        throw reader.expected("the name of a new file, in quotes")
      }
      return RequestPattern(occurrence: occurrence, verb: verb, subject: .file(name))
    }
    let subject = reader
    let name = try reader.word("a class or the name of a row")
    if schema.entity(name) != nil {
      return RequestPattern(occurrence: occurrence, verb: verb, subject: .className(name))
    }
    guard classes[name] != nil else { throw subject.expected("a class or the name of a row") }
    return RequestPattern(occurrence: occurrence, verb: verb, subject: .row(name))
  }

  // MARK: Claims

  private func claims(_ reader: inout PhraseReader) throws(ScenarioError) -> [Claim] {
    guard try reader.takes(sign: "->") else { return [] }
    var claims: [Claim] = []
    var actions: [ClaimedAction] = []
    repeat {
      if let action = try claimedAction(&reader) {
        actions.append(action)
      } else {
        claims.append(try claim(&reader))
      }
    } while try reader.takes(sign: ",")
    return actions.isEmpty ? claims : claims + [.does(actions)]
  }

  private func claimedAction(
    _ reader: inout PhraseReader
  ) throws(ScenarioError) -> ClaimedAction? {
    guard case .word(let word) = try reader.peek(), let kind = SyncAction.Kind(rawValue: word)
    else {
      return nil
    }
    _ = try reader.next()
    let count = try reader.integer("how many")
    return ClaimedAction(kind: kind, count: count, className: try entity(&reader).name)
  }

  private func claim(_ reader: inout PhraseReader) throws(ScenarioError) -> Claim {
    if try reader.takes("complete") { return .outcome(.complete) }
    if try reader.takes("partial") { return .outcome(.partial) }
    if try reader.takes("nothing") { return .does([]) }
    if try reader.takes(phrase: "as planned") { return .asPlanned }
    if try reader.takes("stops") { return .stops(try reader.word("the code of an error")) }
    if try reader.takes("notice") { return .notice(try reader.word("the code of a notice")) }
    if try reader.takes("holds") {
      let count = try reader.integer("how many removals are held")
      return .holds(count, className: try entity(&reader).name)
    }
    if try reader.takes(phrase: "at most") {
      let count = try reader.integer("how many requests")
      try reader.needs("requests")
      return .requests(atMost: count)
    }
    throw reader.expected(
      "a result (complete, partial, nothing, as planned, stops CODE, notice CODE, holds N CLASS, at most N "
        + "requests, or actions as post 1 Game)")
  }
}
