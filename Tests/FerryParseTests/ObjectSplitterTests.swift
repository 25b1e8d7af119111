// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryParse

/// Exports that come in parts.
@Suite struct ObjectSplitterTests {
  /// The objects as “list: text”, read in parts of a size.
  private func split(_ text: String, by size: Int) throws(ObjectSplitter.Failure) -> [String] {
    var splitter = ObjectSplitter()
    var objects: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      for part in try splitter.take(rest.prefix(size)) {
        objects.append("\(part.list ?? ""): \(String(decoding: part.text, as: UTF8.self))")
      }
      rest = rest.dropFirst(size)
    }
    try splitter.finish()
    return objects
  }

  @Test(arguments: [1, 2, 7, 1000]) func `objects of each form are found`(_ size: Int) throws {
    #expect(
      try split(#" {"results" : [ {"a":"}]\"{"} , {"b":[{},[1]]}] , "count": 2} "#, by: size)
        == [#"results: {"a":"}]\"{"}"#, #"results: {"b":[{},[1]]}"#])
    #expect(try split(#"[{"a":1},{}]"#, by: size) == [#": {"a":1}"#, ": {}"])
    #expect(
      try split(
        #"{"Game":[{"a":1}],"note":{"x":[{"y":1}]},"League":[{"b":2}],"Team":[]}"#, by: size)
        == [#"Game: {"a":1}"#, #"League: {"b":2}"#])
    #expect(try split(#"{"results":[]}"#, by: size).isEmpty)
  }

  @Test(arguments: [
    "": "other", " ": "other", "x": "other", "{}": "other", "3": "other", "\"a\"": "other",
    #"{"objectId":"a","tags":["x"]}"#: "other", #"[1]"#: "other", #"[["a"]]"#: "other",
    "{\"a\":1}\n{\"a\":2}": "other", "[{}]{": "other", #"{"results":[{"a":1}]"#: "damaged",
    #"{"results":[{"a":1]}"#: "damaged", "[{": "damaged", "[{\"": "damaged", "}": "damaged",
  ])
  func `anything else is refused`(_ text: String, _ kind: String) {
    #expect(throws: ObjectSplitter.Failure.self) { try split(text, by: 3) }
    do {
      _ = try split(text, by: 1)
    } catch {
      switch error {
      case .otherKind: #expect(kind == "other", "\(text)")
      case .damaged: #expect(kind == "damaged", "\(text)")
      }
    }
  }
}
