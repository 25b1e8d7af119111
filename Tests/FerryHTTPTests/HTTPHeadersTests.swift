// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Testing

@Suite
struct HTTPHeadersTests {
  @Test("Names are found whatever their case, and keep their spelling")
  func names() {
    var headers: HTTPHeaders = ["X-Parse-Application-Id": "games", "Accept": "a"]
    #expect(headers["x-parse-APPLICATION-id"] == "games")
    #expect(headers["X-Parse"] == nil)
    headers["x-parse-application-id"] = "teams"
    #expect(headers.fields.map(\.name) == ["X-Parse-Application-Id", "Accept"])
    #expect(headers["X-Parse-Application-Id"] == "teams")
    headers["ACCEPT"] = nil
    #expect(headers.fields.count == 1)
  }

  @Test("Only letters of the alphabet differ by case")
  func letters() {
    let headers: HTTPHeaders = ["X[": "1"]
    #expect(headers["x{"] == nil)
    #expect(headers["x["] == "1")
  }

  @Test("Setting replaces all fields of a name by one; adding keeps them all")
  func repeated() {
    var headers: HTTPHeaders = ["A": "1", "B": "2"]
    headers.add(name: "a", value: "3")
    #expect(headers.fields.map(\.value) == ["1", "2", "3"])
    headers["A"] = "4"
    #expect(headers.fields.map(\.value) == ["4", "2"])
    headers.merge(["b": "5", "C": "6"])
    #expect(headers.fields.map(\.value) == ["4", "5", "6"])
  }

  @Test(
    "Secrets show in no form of description; harmless values do",
    arguments: [
      "X-Parse-Master-Key", "X-Parse-Session-Token", "X-Parse-REST-API-Key", "Authorization",
      "Cookie", "Set-Cookie", "Location", "X-Thought-Of-By-Nobody",
    ])
  func masking(name: String) {
    let headers: HTTPHeaders = ["Content-Type": "application/json", name: "canary"]
    var dumped = ""
    dump(headers, to: &dumped)
    dump(headers.fields, to: &dumped)
    for text in ["\(headers)", String(reflecting: headers), "\(headers.fields)", dumped] {
      #expect(!text.contains("canary"))
      #expect(text.contains(name))
      #expect(text.contains("application/json"))
    }
  }

  @Test(
    "A field that would break out of its line is named",
    arguments: [
      ("A", "b", false), ("A", "", false), ("A", "b\tc", false), ("A", "ä", false),
      ("A", "b\r\nC: d", true), ("A", "b\n", true), ("A", "\0", true), ("A", "\u{7F}", true),
      ("", "b", true), ("A:", "b", true), ("A B", "b", true), ("Ä", "b", true),
    ])
  func unsendable(name: String, value: String, isUnsendable: Bool) {
    var headers: HTTPHeaders = ["Fine": "fine"]
    headers.add(name: name, value: value)
    #expect(headers.unsendableName == (isUnsendable ? name : nil))
  }
}
