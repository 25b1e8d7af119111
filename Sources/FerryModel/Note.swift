// Ferry: offline-first sync for Parse Server. MIT licence.

/// A note of Ferry's own that reads and writes its JSON member by member.
///
/// The store has as many of these as there are unsent records, and a sync reads each several times. Swift's coders
/// take about seven times as long for them. Other notes are few, and conform to `Codable`.
package protocol Note: Sendable {
  /// Reads the note that begins here.
  init(from json: inout JSONText) throws(JSONText.Malformed)
  /// Writes the note; members in byte order, and none that is nil.
  func write(to json: inout WireJSON)
}

extension JSONText {
  /// The note of a text.
  package static func note<N: Note>(_ type: N.Type, from text: String) throws(Malformed) -> N {
    try read(text, infinities: .asLargeNumbers) { json throws(Malformed) in try N(from: &json) }
  }

  /// Calls the closure with the name of each member of the object that begins here.
  ///
  /// The closure reads the member's value, or skips it.
  package mutating func members(
    _ body: (inout JSONText, String) throws(Malformed) -> Void
  ) throws(Malformed) {
    try nested(UInt8(ascii: "{"), UInt8(ascii: "}")) { json throws(Malformed) in
      let name = try json.text()
      try json.expect(UInt8(ascii: ":"))
      try body(&json, name)
    }
  }

  /// Calls the closure where each element of the array begins that begins here; it reads the element.
  package mutating func elements(
    _ body: (inout JSONText) throws(Malformed) -> Void
  ) throws(Malformed) {
    try nested(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// The content of the only member of the object that begins here; nil refuses its name.
  package mutating func only<Content>(
    _ body: (inout JSONText, String) throws(Malformed) -> Content?
  ) throws(Malformed) -> Content {
    var content: Content?
    var count = 0
    try members { json, name throws(Malformed) in
      content = try body(&json, name)
      count += 1
    }
    guard let content, count == 1 else { throw Malformed() }
    return content
  }

  /// The string that begins here.
  package mutating func text() throws(Malformed) -> String {
    guard next() == UInt8(ascii: "\"") else { throw Malformed() }
    return try string()
  }

  /// The whole number that begins here.
  package mutating func integer() throws(Malformed) -> Int64 {
    guard case .integer(let number) = try value() else { throw Malformed() }
    return number
  }

  /// The Boolean value that begins here.
  package mutating func boolean() throws(Malformed) -> Bool {
    guard case .boolean(let value) = try value() else { throw Malformed() }
    return value
  }

  /// The date that begins here, as the wire writes it.
  package mutating func timestamp() throws(Malformed) -> Timestamp {
    guard let time = Timestamp(try text()) else { throw Malformed() }
    return time
  }

  /// The case of a raw-value enumeration that begins here.
  package mutating func word<Word: RawRepresentable<String>>(
    _ type: Word.Type
  ) throws(Malformed) -> Word {
    guard let word = Word(rawValue: try text()) else { throw Malformed() }
    return word
  }

  /// The names that begin here.
  package mutating func names() throws(Malformed) -> Set<String> {
    var names: Set<String> = []
    try elements { json throws(Malformed) in names.insert(try json.text()) }
    return names
  }

  /// The fields that begin here; a relation has a meaning only as a field of its own.
  package mutating func fields() throws(Malformed) -> Fields {
    var fields: [String: Value] = [:]
    try members { json, name throws(Malformed) in fields[name] = try json.value() }
    return Fields(fields)
  }

  /// The notes that begin here.
  package mutating func notes<N: Note>(_ type: N.Type) throws(Malformed) -> [N] {
    var notes: [N] = []
    try elements { json throws(Malformed) in notes.append(try N(from: &json)) }
    return notes
  }

  /// Passes a member by that this program does not know.
  package mutating func skip() throws(Malformed) { _ = try value() }
}

extension WireJSON {
  /// The text of a note.
  package static func text(of note: some Note) -> String {
    var json = WireJSON(reserving: 1024, infinities: .asLargeNumbers)
    note.write(to: &json)
    return json.text
  }

  /// Writes an object; the closure writes its members.
  package mutating func object(_ members: (inout WireJSON) -> Void) {
    raw("{")
    members(&self)
    raw("}")
  }

  /// Writes a member; the closure writes its value.
  package mutating func member(_ name: StaticString, _ value: (inout WireJSON) -> Void) {
    if bytes.last != UInt8(ascii: "{") { raw(",") }
    raw("\"")
    raw(name)
    raw("\":")
    value(&self)
  }

  package mutating func member(_ name: StaticString, _ text: String?) {
    if let text { member(name) { $0.write(text) } }
  }
  package mutating func member(_ name: StaticString, _ number: Int64) {
    member(name) { $0.raw(String(number)) }
  }
  package mutating func member(_ name: StaticString, _ truth: Bool) {
    member(name) { $0.raw(truth ? "true" : "false") }
  }
  package mutating func member(_ name: StaticString, _ time: Timestamp?) {
    member(name, time?.description)
  }
  package mutating func member(_ name: StaticString, _ value: Value) {
    member(name) { $0.write(value) }
  }
  package mutating func member(_ name: StaticString, _ names: Set<String>) {
    member(name) { json in
      json.raw("[")
      for (index, text) in names.sorted().enumerated() {
        if index > 0 { json.raw(",") }
        json.write(text)
      }
      json.raw("]")
    }
  }
  package mutating func member(_ name: StaticString, _ fields: Fields) {
    member(name, .object(fields.values))
  }
  package mutating func member(_ name: StaticString, _ note: some Note) {
    member(name) { note.write(to: &$0) }
  }
  /// Writes a member, unless it is nil.
  package mutating func member(ifAny name: StaticString, _ note: (some Note)?) {
    if let note { member(name, note) }
  }
  package mutating func member(_ name: StaticString, _ notes: [some Note]) {
    member(name) { json in
      json.raw("[")
      for (index, note) in notes.enumerated() {
        if index > 0 { json.raw(",") }
        note.write(to: &json)
      }
      json.raw("]")
    }
  }
}
