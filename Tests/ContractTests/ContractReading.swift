// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// Why a section cannot be read.
struct ContractFileError: Error, CustomStringConvertible {
  let file: String
  let place: String
  let expected: String

  var description: String { "\(file).json, \(place): expected \(expected)." }
}

extension ContractFile {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/contract")

  /// All sections, in the order of their names.
  static func all() throws -> [ContractFile] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }.sorted().map {
        try ContractFile(name: String($0.dropLast(5)))
      }
  }

  /// The sections that the environment names; all by default.
  static func chosen() throws -> [ContractFile] {
    let names = (ProcessInfo.processInfo.environment["FERRY_CONTRACT_FILES"] ?? "").split(
      separator: ",")
    return try all().filter { names.isEmpty || names.contains($0.name[...]) }
  }

  var url: URL { Self.folder.appending(path: name + ".json") }

  private init(name: String) throws {
    let text = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
    try self.init(name: name, Array(text))
  }

  init(name: String, _ text: [UInt8]) throws(ContractFileError) {
    let value: LoopbackValue
    do {
      value = try LoopbackValue(json: text)
    } catch {
      let place = error.message.split(separator: " ").last.flatMap { Int($0) } ?? 0
      let line = 1 + text.prefix(place).count { $0 == UInt8(ascii: "\n") }
      throw ContractFileError(
        file: name, place: "line \(line)", expected: "JSON (\(error.message))")
    }
    let root = ContractNode(value: value, file: name, place: "the file")
    let members = try root.members(["section", "server", "recorded", "exchanges"])
    self.name = name
    section = try root.needed("section", in: members).text()
    server = try members["server"].map(ContractServer.init) ?? ContractServer()
    recorded = try members["recorded"]?.text()
    exchanges = try root.needed("exchanges", in: members).elements(of: "exchange")
      .map { node throws(ContractFileError) in try ContractExchange(node) }
    var names: Set<String> = []
    for exchange in exchanges where !names.insert(exchange.name).inserted {
      throw ContractFileError(
        file: name, place: "exchanges", expected: "no second one with the name “\(exchange.name)”")
    }
  }
}

extension ContractServer {
  fileprivate init(_ node: ContractNode) throws(ContractFileError) {
    let members = try node.members([
      "options", "cloudCode", "module", "collation", "processes", "streamsFiles",
    ])
    options = try members["options"]?.object() ?? [:]
    cloudCode = try members["cloudCode"]?.text()
    module = members["module"]?.value
    collation = try members["collation"]?.text()
    processes = try members["processes"]?.wholeNumber() ?? 1
    streamsFiles = members["streamsFiles"]?.value == true
  }
}

extension ContractExchange {
  static let members = [
    "name", "begin", "finish", "send", "as", "headers", "body", "text", "base64", "keep", "show",
    "loose", "unordered", "anyDates", "difference", "answer",
  ]

  fileprivate init(_ node: ContractNode) throws(ContractFileError) {
    let members = try node.members(Set(Self.members))
    name = try node.needed("name", in: members).text()
    let node = node.named(name)
    if let wait = members["finish"] {
      step = .finish(try wait.text())
    } else {
      target = try node.needed("send", in: members).text()
      if let begin = members["begin"] { step = .begin(try begin.text()) }
      guard target.split(separator: " ").count == 2, target.contains(" /") else {
        throw node.error("“send” to be a method and a path, as POST /parse/classes/Game")
      }
    }
    caller = try members["as"]?.text() ?? "client"
    headers = try members["headers"]?.texts() ?? [:]
    if let json = members["body"] { body = .json(json.value) }
    if let text = members["text"] { body = .text(try text.text()) }
    if let base64 = members["base64"] { body = .base64(try base64.text()) }
    keep = try members["keep"]?.texts() ?? [:]
    show = try members["show"]?.textList() ?? []
    loose = Set(try members["loose"]?.textList() ?? [])
    unordered = Set(try members["unordered"]?.textList() ?? [])
    anyDates = members["anyDates"]?.value == true
    difference = try members["difference"]?.text()
    if let given = members["answer"] {
      let parts = try given.members(["status", "headers", "body"])
      answer = ContractAnswer(
        status: try given.needed("status", in: parts).wholeNumber(),
        headers: try parts["headers"]?.texts() ?? [:], body: parts["body"]?.value)
    }
  }
}

/// A value of a section with its position, for error messages.
private struct ContractNode {
  let value: LoopbackValue
  let file: String
  let place: String

  func error(_ expected: String) -> ContractFileError {
    ContractFileError(file: file, place: place, expected: expected)
  }

  func named(_ name: String) -> ContractNode {
    ContractNode(value: value, file: file, place: "\(place) (“\(name)”)")
  }

  /// The members; each must have a known name.
  func members(_ known: Set<String>) throws(ContractFileError) -> [String: ContractNode] {
    let members = try object()
    if let stranger = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw error("one of \(known.sorted().joined(separator: ", ")), not “\(stranger)”")
    }
    return Dictionary(
      uniqueKeysWithValues: members.map { name, value in
        (name, ContractNode(value: value, file: file, place: "\(place), “\(name)”"))
      })
  }

  func needed(
    _ name: String, in members: [String: ContractNode]
  ) throws(ContractFileError) -> ContractNode {
    guard let node = members[name] else { throw error("a member “\(name)”") }
    return node
  }

  func object() throws(ContractFileError) -> [String: LoopbackValue] {
    guard let members = value.object else { throw error("an object") }
    return members
  }

  func elements(of kind: String) throws(ContractFileError) -> [ContractNode] {
    guard let elements = value.array else { throw error("an array") }
    return elements.enumerated().map { index, element in
      ContractNode(value: element, file: file, place: "\(kind) \(index + 1)")
    }
  }

  func text() throws(ContractFileError) -> String {
    guard let text = value.string else { throw error("a string") }
    return text
  }

  func wholeNumber() throws(ContractFileError) -> Int {
    guard let number = value.number, let whole = Int(exactly: number) else {
      throw error("a whole number")
    }
    return whole
  }

  func texts() throws(ContractFileError) -> [String: String] {
    let texts = try object().compactMapValues(\.string)
    guard texts.count == value.object?.count else { throw error("an object of strings") }
    return texts
  }

  func textList() throws(ContractFileError) -> [String] {
    let texts = value.array?.compactMap(\.string) ?? []
    guard let elements = value.array, texts.count == elements.count else {
      throw error("an array of strings")
    }
    return texts
  }
}
