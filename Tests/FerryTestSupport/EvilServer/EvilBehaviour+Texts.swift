// Ferry: offline-first sync for Parse Server. MIT licence.

extension EvilBehaviour {
  /// Bodies that are no JSON, or JSON that few readers survive.
  static let texts: [EvilBehaviour] = [
    .text("cuts the JSON and announces the shorter length") {
      String($0.dropLast($0.count / 3 + 1))
    },
    .text("puts a byte order mark in front") { "\u{FEFF}" + $0 },
    .text("puts the login page of a network in front") { "<html></html>" + $0 },
    .text("puts a guard against scripts in front") { ")]}',\n" + $0 },
    .text("puts words behind the JSON") { $0 + " and more" },
    .text("sends the JSON twice") { $0 + $0 },
    .text("puts a zero byte behind the JSON") { $0 + "\u{0}" },
    .text("puts a megabyte of blanks in front") { String(repeating: " ", count: 1 << 20) + $0 },
    .body("sends UTF-16") { answer in
      [0xFF, 0xFE] + answer.text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    },
    .body("sends invalid UTF-8") { answer in
      answer.body.map { $0 == UInt8(ascii: "e") ? 0xFF : $0 }
    },
    .body("sends overlong UTF-8 in each text") { answer in
      answer.body.flatMap { $0 == UInt8(ascii: "g") ? [0xC0, 0xAF] : [$0] }
    },
    .text("sends half of a surrogate pair in each text") { text in
      text.replacing("\"g", with: #""\ud800g"#)
    },
    .text("sends escaped zero characters in each text") { $0.replacing("\"g", with: #""\u0000g"#) },
    .text("sends raw control characters in each text") {
      $0.replacing("\"g", with: "\"\u{0}\u{7}g")
    },
    .text("names each member twice") { text in
      text.replacing("\"results\":", with: "\"results\":[],\"results\":")
        .replacing("\"objectId\":", with: "\"objectId\":\"twice\",\"objectId\":")
    },
    .text("names the list of rows twice, empty at last") { text in
      text.hasSuffix("}") ? text.dropLast() + ",\"results\":[]}" : text
    },
    .text("nests lists 100,000 deep") { _ in nested("[", 100_000, "]") },
    .text("nests objects 100,000 deep") { _ in nested("{\"a\":", 100_000, "}", around: "1") },
    .text("nests lists 1000 deep in the answer") {
      inserting("\"x\":\(nested("[", 1000, "]")),", into: $0)
    },
    .text("opens a million lists") { _ in String(repeating: "[", count: 1_000_000) },
    .text("sends the number 1e400") { numbers(in: $0, as: "1e400") },
    .text("sends numbers of 100,000 digits") {
      numbers(in: $0, as: String(repeating: "9", count: 100_000))
    },
    .text("sends fractions of 100,000 digits") {
      numbers(in: $0, as: "0." + String(repeating: "9", count: 100_000))
    },
    .text("sends exponents of a thousand digits") {
      numbers(in: $0, as: "1e" + String(repeating: "9", count: 1000))
    },
    .text("sends NaN") { numbers(in: $0, as: "NaN") },
    .text("sends numbers with leading zeros") { numbers(in: $0, as: "007") },
    .text("sends minus zero") { numbers(in: $0, as: "-0") },
    .text("sends a member of a megabyte") {
      inserting("\"\(String(repeating: "k", count: 1 << 20))\":1,", into: $0)
    },
    .text("sends 100,000 members") { text in
      inserting((0..<100_000).map { "\"m\($0)\":0," }.joined(), into: text)
    },
    .text("sends hostile names of members") {
      inserting(
        #""__proto__":{},"":1,"\u0000":2,"'; DROP TABLE Game; --":3,"../../x":4,"#, into: $0)
    },
    .text("sends single quotes") { $0.replacing("\"", with: "'") },
    .text("sends a comma behind the last member") { $0.replacing("}", with: ",}") },
    .text("sends comments") { "/* any */" + $0 + "// any" },
    .text("sends a list instead of an object") { "[\($0)]" },
    .text("sends an object in a text") { "\"\($0.replacing("\"", with: "\\\""))\"" },
    .text("sends null") { _ in "null" },
    .text("sends true") { _ in "true" },
    .text("sends a number") { _ in "0" },
    .text("sends an empty object") { _ in "{}" },
    .text("sends an empty list") { _ in "[]" },
    .text("sends the error of a success") { _ in #"{"code":101,"error":"Object not found."}"# },
    .text("sends a text of 8 MB") { _ in "\"\(String(repeating: "a", count: 8 << 20))\"" },
    .text("sends a million empty lists") { _ in
      "{\"results\":[\(String(repeating: "[],", count: 1_000_000))[]]}"
    },
  ]
}

private func nested(_ open: String, _ depth: Int, _ close: String, around middle: String = "")
  -> String
{
  String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
}

/// The text with members at the beginning of each object.
private func inserting(_ members: String, into text: String) -> String {
  guard let first = text.firstIndex(of: "{") else { return text }
  var text = text
  text.insert(contentsOf: members, at: text.index(after: first))
  return text.replacing(",}", with: "}")
}

/// The text with each number of a member replaced.
private func numbers(in text: String, as number: String) -> String {
  text.replacing(/:-?[0-9.]+/) { _ in ":\(number)" }
}
