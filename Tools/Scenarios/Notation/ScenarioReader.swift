// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Reads a story's text, line by line.
struct ScenarioReader {
  /// The lines that are neither empty nor comments.
  private let lines: [StoryLine]
  private let defaultSchema: Schema?

  init(_ text: String, schema: Schema?) {
    defaultSchema = schema
    lines = StoryLine.lines(of: text).filter { !$0.isBlank && !$0.isComment }
  }

  /// The story's number and title, from its first line.
  func title() throws(ScenarioError) -> (number: String, title: String) {
    let place = lines.first?.place ?? Place(line: 1)
    let text = lines.first.map { String($0.text) } ?? ""
    guard text.hasPrefix("story "), let colon = text.firstIndex(of: ":") else {
      throw ScenarioError("expected \"story NUMBER: TITLE\" as the first line", at: place)
    }
    let number = text[..<colon].dropFirst(6).drop(while: \.isWhitespace)
    return (String(number), String(text[colon...].dropFirst().drop(while: \.isWhitespace)))
  }

  private static let mostTellings = 1000
  /// The most bytes of a line whose alternatives are chosen.
  private static let mostBytes = 100_000

  /// The story once for every combination of its alternatives.
  func tellings() throws(ScenarioError) -> [Telling] {
    var choices: [[(name: String, value: String)]] = [[]]
    for line in lines where line.text.hasPrefix("for ") {
      let (name, values) = try alternatives(line)
      guard choices.count * values.count <= Self.mostTellings else {
        throw ScenarioError(
          "expected at most \(Self.mostTellings) combinations of alternatives", at: line.place)
      }
      choices = choices.flatMap { chosen in values.map { chosen + [(name, $0)] } }
    }
    var tellings: [Telling] = []
    for choice in choices { tellings.append(try telling(choice)) }
    return tellings
  }

  /// `for NAME in VALUE | VALUE`.
  private func alternatives(_ line: StoryLine) throws(ScenarioError) -> (String, [String]) {
    let words = line.text.dropFirst(4).split(separator: " in ", maxSplits: 1)
    let values = words.dropFirst().joined().split(separator: "|")
      .map { $0.trimmed }
    guard let name = words.first?.trimmed, values.count > 1 else {
      throw ScenarioError(
        "expected \"for NAME in VALUE | VALUE …\" with at least two values", at: line.place)
    }
    return (name, values)
  }

  private func telling(
    _ choices: [(name: String, value: String)]
  ) throws(ScenarioError) -> Telling {
    var lines = self.lines.dropFirst()[...]
    for index in lines.indices {
      // The last first, because a value may hold the names of the lines above.
      for (name, value) in choices.reversed() {
        lines[index].text = lines[index].text.replacing("{\(name)}", with: value)[...]
        guard lines[index].text.utf8.count <= Self.mostBytes else {
          throw ScenarioError("expected shorter alternatives", at: lines[index].place)
        }
      }
    }
    var document = Document(schema: defaultSchema ?? Schema([]))
    document.telling.choices = choices.map(\.value)
    while let line = lines.popFirst() {
      let block = Array(lines.prefix { line.isTable ? $0.isTable : $0.isIndented })
      lines = lines.dropFirst(block.count)
      try document.read(line, block)
    }
    return try document.finished(at: self.lines.last?.place ?? Place(line: 1))
  }

  /// The part of one telling that has been read.
  private struct Document {
    var telling: Telling
    private var steps: StepReader
    private var hasEnd = false

    init(schema: Schema) {
      telling = Telling(schema: schema, serverSchema: schema, options: StoryOptions())
      steps = StepReader(schema: schema)
    }

    mutating func read(_ line: StoryLine, _ block: [StoryLine]) throws(ScenarioError) {
      guard !hasEnd else {
        throw ScenarioError(
          "expected nothing behind \"expect\", with which a story ends", at: line.place)
      }
      if line.isTable { return try readTable([line] + block) }
      var reader = PhraseReader(line.text, at: line.place)
      switch line.isIndented ? "" : try reader.word(Self.sections) {
      case "for": break
      case "options": try reader.read(into: &telling.options)
      case "schema":
        guard !block.isEmpty else {
          throw ScenarioError("expected the classes, indented below \"schema\"", at: line.place)
        }
        try readSchema(block)
      case "given": try readGiven(block)
      case "check": try readExpectation(line, block, isWhole: false)
      case "expect":
        try readExpectation(line, block, isWhole: true)
        hasEnd = true
      default: throw PhraseReader(line.text, at: line.place).expected(Self.sections)
      }
    }

    private static let sections =
      "a section (for, options, schema, given, check, expect, each with its lines indented below it, or "
      + "a table that begins with \"|\")"

    private mutating func readSchema(_ block: [StoryLine]) throws(ScenarioError) {
      var entities: [StoryClass] = []
      for line in block {
        var reader = PhraseReader(line.text, at: line.place)
        entities.append(try reader.entity())
      }
      let pairs = entities.flatMap(\.pairs)
      let schema = Schema(entities.map(\.here) + pairs)
      for (entity, line) in zip(entities.map(\.whole), block) {
        for field in entity.fields {
          guard case .pointer(let target) = field.type, schema.entity(target) == nil else {
            continue
          }
          throw ScenarioError(
            "expected a type or a class of the schema for \(field.name), found \"\(target)\"",
            at: line.place)
        }
      }
      do {
        try schema.validate()
      } catch {
        throw ScenarioError("\(error)", at: block.first?.place ?? Place(line: 1))
      }
      telling.schema = schema
      telling.serverSchema = Schema(entities.map(\.there))
      steps = StepReader(schema: Schema(entities.map(\.whole) + pairs))
    }

    private mutating func readGiven(_ block: [StoryLine]) throws(ScenarioError) {
      for line in block {
        var reader = PhraseReader(line.text, at: line.place)
        telling.given.append(try steps.rows(&reader))
        try reader.needsEnd("a field, or the end of the line")
      }
    }

    private mutating func readTable(_ rows: [StoryLine]) throws(ScenarioError) {
      let table = StoryTable(title: String(rows[0].text), at: rows[0].place)
      let actors = try table.actors()
      for case .device(let name) in actors where !telling.devices.contains(name) {
        telling.devices.append(name)
      }
      for line in rows.dropFirst() {
        guard let tick = try table.tick(String(line.text), at: line.place, &steps) else { continue }
        telling.parts.append(.tick(tick))
      }
    }

    private mutating func readExpectation(
      _ line: StoryLine, _ block: [StoryLine], isWhole: Bool
    ) throws(ScenarioError) {
      var expectation = Expectation(line: line.number, isWhole: isWhole)
      let actors = telling.devices.map(Actor.device) + [.server]
      for line in block {
        var reader = PhraseReader(line.text, at: line.place)
        expectation.facts += try steps.facts(&reader, actors: actors)
      }
      telling.parts.append(.expectation(expectation))
    }

    func finished(at place: Place) throws(ScenarioError) -> Telling {
      guard hasEnd else {
        throw ScenarioError("expected \"expect\" and the world at the end of the story", at: place)
      }
      return telling
    }
  }
}
