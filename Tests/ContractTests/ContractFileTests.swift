// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Testing

/// Reads the sections, and checks the list of known differences.
@Suite(.timeLimit(.minutes(5)))
struct ContractFileTests {
  static let unreadable: [(String, String)] = [
    ("{\n\"section\":", "line 2: expected JSON"),
    ("[]", "the file: expected an object."),
    (#"{"exchanges":[]}"#, "the file: expected a member “section”."),
    (#"{"section":"s","exchange":[]}"#, "not “exchange”."),
    (#"{"section":5,"exchanges":[]}"#, "the file, “section”: expected a string."),
    (#"{"section":"s","exchanges":{}}"#, "the file, “exchanges”: expected an array."),
    (#"{"section":"s","exchanges":[{"send":"GET /"}]}"#, "exchange 1: expected a member “name”."),
    (
      #"{"section":"s","exchanges":[{"name":"n"}]}"#,
      "exchange 1 (“n”): expected a member “send”."
    ),
    (
      #"{"section":"s","exchanges":[{"name":"n","send":"GET"}]}"#,
      "exchange 1 (“n”): expected “send” to be a method and a path"
    ),
    (
      #"{"section":"s","exchanges":[{"name":"n","send":"GET /","keep":{"a":1}}]}"#,
      "exchange 1, “keep”: expected an object of strings."
    ),
    (
      #"{"section":"s","exchanges":[{"name":"n","send":"GET /","answer":{}}]}"#,
      "exchange 1, “answer”: expected a member “status”."
    ),
    (
      #"{"section":"s","exchanges":[{"name":"n","send":"GET /"},{"name":"n","send":"GET /"}]}"#,
      "exchanges: expected no second one with the name “n”."
    ),
    (
      #"{"section":"s","server":{"processes":1.5},"exchanges":[]}"#,
      "the file, “server”, “processes”: expected a whole number."
    ),
  ]

  @Test(arguments: unreadable)
  func `a section that cannot be read fails with its place`(_ text: String, _ reason: String) {
    let error = #expect(throws: ContractFileError.self) {
      try ContractFile(name: "bad", Array(text.utf8))
    }
    let description = error?.description ?? ""
    #expect(description.hasPrefix("bad.json, ") && description.contains(reason))
  }

  @Test func `an option that the double does not have is named`() throws {
    let server = ContractServer(options: ["sessionLength": 5])
    let error = #expect(throws: ContractFileError.self) { try server.startDouble(for: "bad") }
    #expect(error?.description.contains("not sessionLength: 5") == true)
  }

  @Test func `every section is recorded, in the one layout`() throws {
    for file in try ContractFile.all() {
      #expect(file.recorded != nil, "\(file.name)")
      let text = try String(contentsOf: file.url, encoding: .utf8)
      let value = try LoopbackValue(json: Array(text.utf8))
      #expect(text == ContractLayout.text(of: value), "\(file.name): record it again.")
      for exchange in file.exchanges where exchange.isAnswered {
        #expect(exchange.answer != nil, "\(file.name), “\(exchange.name)”")
      }
    }
  }

  @Test func `the documentation lists the known differences`() throws {
    let page = ContractFile.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Documentation/LoopbackParse.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .drop { $0 != "## Known differences" }.filter { $0.hasPrefix("| `") }.map(String.init)
    let known = try ContractFile.all().flatMap { file in
      file.exchanges.compactMap { exchange in
        exchange.difference.map { "| `\(file.name)` | \(exchange.name) | \($0) |" }
      }
    }
    #expect(rows.sorted() == known.sorted())
  }
}
