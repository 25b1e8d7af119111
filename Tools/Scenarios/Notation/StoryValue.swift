// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import Foundation

/// A value as a story writes it: pointers are names.
indirect enum StoryValue: Sendable, Hashable {
  case plain(PlainValue)
  case name(String)
  /// The first id that a record ever had, which it may have lost since.
  case firstID(of: String)
  /// A pointer to a record that is not there.
  case missing(String)
  /// A file that an app gives to a field, with a text as its content.
  case newFile(NewStoryFile)
  case list([StoryValue])
  case object([String: StoryValue])

  /// A value that names nothing.
  struct PlainValue: Sendable, Hashable {
    let value: Value
    private let text: String

    init(_ value: Value) {
      self.value = value
      text = StoryValue.text(of: value) { _ in nil }
    }

    static func == (left: PlainValue, right: PlainValue) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  static func plain(_ value: Value) -> StoryValue { .plain(PlainValue(value)) }

  /// The value, with the ids that the names have now, or had at first.
  func value(_ pointer: (_ name: String, _ atFirst: Bool) throws -> Pointer) rethrows -> Value {
    switch self {
    case .plain(let plain): plain.value
    case .name(let name), .missing(let name): .pointer(try pointer(name, false))
    case .firstID(let name): .pointer(try pointer(name, true))
    case .newFile(let file): .file(file.value)
    case .list(let elements): .array(try elements.map { try $0.value(pointer) })
    case .object(let members): .object(try members.mapValues { try $0.value(pointer) })
    }
  }

  /// The value in a row of a range: `#` in a text becomes the row's number.
  func numbered(_ number: String) -> StoryValue {
    guard case .plain(let plain) = self, case .string(let text) = plain.value else { return self }
    return .plain(.string(text.replacing("#", with: number)))
  }

  /// As the story would write it; always the same for the same value.
  var text: String {
    switch self {
    case .plain(let plain): Self.text(of: plain.value) { _ in nil }
    case .name(let name), .firstID(let name): name
    case .missing(let name): "missing \(name)"
    case .newFile(let file): Self.text(of: .file(file.value)) { _ in nil }
    case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let members): Self.braces(members.mapValues(\.text))
    }
  }

  /// How a story would write a value, given the names of what it points to.
  static func text(of value: Value, naming name: (Pointer) -> String?) -> String {
    switch value {
    case .null: "none"
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    case .string(let text): quoted(text)
    case .date(let date): date.description
    case .pointer(let pointer): name(pointer) ?? "\(pointer.className) ?"
    case .bytes(let bytes): "bytes " + quoted(Data(bytes).base64EncodedString())
    case .array(let elements):
      "[" + elements.map { text(of: $0, naming: name) }.joined(separator: ", ") + "]"
    case .object(let members): braces(members.mapValues { text(of: $0, naming: name) })
    case .geoPoint(let point): text(of: point)
    case .polygon(let corners): "polygon " + corners.map(text).joined(separator: " ")
    case .file(let file): NewStoryFile.text(of: file) ?? "file " + quoted(file.nameByApp)
    case .relation(let className): "relation to \(className)"
    }
  }

  private static func text(of point: GeoPoint) -> String {
    let numbers = [point.latitude, point.longitude]
      .map { text(of: .number($0)) { _ in nil } }
    return "(" + numbers.joined(separator: ", ") + ")"
  }

  private static func braces(_ members: [String: String]) -> String {
    let sorted = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }
    return "{" + sorted.joined(separator: ", ") + "}"
  }

  static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }
}

extension Value {
  /// As a story writes it, given the names of what it points to.
  package func storyText(naming name: (Pointer) -> String?) -> String {
    StoryValue.text(of: self, naming: name)
  }
}

extension PhraseReader {
  /// A value: a text, number, date, truth value, `none`, a name, a list, an object, a place, bytes or a file.
  mutating func value() throws(ScenarioError) -> StoryValue {
    switch try peek() {
    case .text(let text):
      _ = try next()
      return .plain(.string(text))
    case .number(let number):
      _ = try next()
      return .plain(Int64(exactly: number).map(Value.integer) ?? .number(number))
    case .date(let date):
      _ = try next()
      return .plain(.date(date))
    case .sign("["):
      return .list(try elements(from: "[", to: "]") { r throws(ScenarioError) in try r.value() })
    case .sign("("): return .plain(.geoPoint(try point()))
    case .sign("{"):
      let members = try elements(from: "{", to: "}") { reader throws(ScenarioError) in
        guard case .text(let key) = try reader.next() else {
          throw reader.expected("a key in quotes")
        }
        try reader.needs(sign: ":")
        return (key, try reader.value())
      }
      return .object(Dictionary(members, uniquingKeysWith: { $1 }))
    case .word("true"), .word("false"), .word("none"): return .plain(try keyword())
    case .word("first"):
      try needs("first id of")
      return .firstID(of: try word("the name of a row"))
    case .word("missing"):
      _ = try next()
      return .missing(try word("the name of a row"))
    case .word("new"):
      _ = try next()
      try needs("file")
      return .newFile(try newFile())
    case .word("bytes"), .word("file"), .word("polygon"): return .plain(try special())
    case .word(let name):
      _ = try next()
      return .name(name)
    case .ordinal, .sign, nil:
      throw expected(
        "a value (a text in quotes, a number, a date, true, false, none, a name, […] or {…})")
    }
  }

  /// The name and the content of a new file, each in quotes.
  private mutating func newFile() throws(ScenarioError) -> NewStoryFile {
    guard let name = try takesText(), let content = try takesText(),
      let file = NewStoryFile(name: name, content: content)
    else {
      throw expected("a name that a server takes, and a text, both in quotes, before this")
    }
    return file
  }

  private mutating func keyword() throws(ScenarioError) -> Value {
    switch try word("a value") {
    case "true": .boolean(true)
    case "false": .boolean(false)
    default: .null
    }
  }

  private mutating func special() throws(ScenarioError) -> Value {
    let kind = try word("a value")
    if kind == "polygon" {
      var corners: [GeoPoint] = []
      while try peek() == .sign("(") { corners.append(try point()) }
      return .polygon(corners)
    }
    guard case .text(let text) = try peek() else { throw expected("a text in quotes") }
    if kind == "file" {
      _ = try next()
      return .file(File(name: text))
    }
    guard let bytes = Data(base64Encoded: text) else { throw expected("bytes in base64") }
    _ = try next()
    return .bytes(Array(bytes))
  }

  private mutating func point() throws(ScenarioError) -> GeoPoint {
    let numbers = try elements(from: "(", to: ")") { reader throws(ScenarioError) in
      guard case .number(let number) = try reader.peek() else { throw reader.expected("a number") }
      _ = try reader.next()
      return number
    }
    guard numbers.count == 2 else { throw expected("a latitude and a longitude before this") }
    return GeoPoint(latitude: numbers[0], longitude: numbers[1])
  }

  private mutating func elements<Element>(
    from opening: String, to closing: String,
    _ element: (inout PhraseReader) throws(ScenarioError) -> Element
  ) throws(ScenarioError) -> [Element] {
    guard depth < Self.deepest else { throw expected("a value nested less deeply") }
    depth += 1
    defer { depth -= 1 }
    try needs(sign: opening)
    var elements: [Element] = []
    while try !takes(sign: closing) {
      if !elements.isEmpty { try needs(sign: ",") }
      elements.append(try element(&self))
    }
    return elements
  }
}
