// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation
import Testing

@testable import FerryTool

/// The lists of values in the article about the JSON output, compared with the code.
@Suite struct JSONValueTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  @Test func `the article lists each name of an error with its exit codes`() throws {
    var expected: [String: Set<Int32>] = [:]
    func add(_ failure: Failure) {
      expected[failure.name, default: []].insert(failure.exitCode.rawValue)
    }
    for code in try Self.codes(in: "Sources/FerryEngine/Reporting/SyncError.swift") {
      add(Failure(SyncError(SyncError.Code(rawValue: code), "")))
    }
    for code in try Self.codes(in: "Sources/FerryStore/StoreError.swift") {
      add(Failure(StoreError(StoreError.Code(rawValue: code), "")))
    }
    for code in try Self.codes(in: "Sources/FerryParse/Server/ParseServerError.swift") {
      add(Failure(.configuration, code, ""))
    }
    for code in try Self.codes(in: "Sources/FerryEngine/Users/AccountError.swift") {
      add(Failure(AccountError(AccountError.Code(rawValue: code), "")))
    }
    for code in try Self.codes(in: "Sources/FerryEngine/Files/FileError.swift") {
      add(Failure(FileError(FileError.Code(rawValue: code), "")))
    }
    for code in try Self.codes(in: "Sources/FerryModel/ObjectSourceError.swift") {
      add(Failure(SyncError(ObjectSourceError(ObjectSourceError.Code(rawValue: code), ""))))
    }
    for (exitCode, name) in try Self.failuresOfTheTool() { add(Failure(exitCode, name, "")) }
    // A store that cannot be made has an exit code of its own.
    expected[StoreError.Code.notAccessible.rawValue]?.insert(ExitCode.cannotCreate.rawValue)

    let documented = try #require(JSONDocumentation().values["Names of errors"])
    #expect(Set(documented.keys) == Set(expected.keys))
    for (name, codes) in expected {
      #expect(
        documented[name]?.first == codes.sorted().map(String.init).joined(separator: ", "),
        "\(name)")
    }
  }

  @Test func `the article lists each code of a notice`() throws {
    let codes = try Self.codes(in: "Sources/FerryEngine/Reporting/SyncNotice.swift")
    try expect("Codes of notices", codes)
  }

  @Test func `the article lists each kind of action and difference`() throws {
    try expect("Kinds of actions", SyncAction.Kind.allCases.map(\.rawValue))
    try expect("Kinds of differences", Verification.Kind.allCases.map(\.rawValue))
  }

  @Test func `the article lists each reason of a conflict with its winner`() throws {
    let source = try Self.text("Sources/FerryPlanning/Import/ConflictRecord.swift")
    let reasons = source.matches(of: #/^    case (\w+)$/#.anchorsMatchLineEndings()).map {
      String($0.1)
    }
    try expect("Reasons of conflicts", reasons)
    let documented = try #require(JSONDocumentation().values["Reasons of conflicts"])
    for name in reasons {
      let reason = try #require(ConflictRecord.Reason(rawValue: name))
      #expect(documented[name]?.first == reason.winner ?? "null", "\(name)")
    }
  }

  @Test func `the article lists each reason of an object that is left out`() throws {
    let reasons = try Self.text("Sources/FerryModel/ObjectLeftOut.swift")
      .matches(of: #/= Reason\(rawValue: "([^"]+)"\)/#).map { String($0.1) }
    try expect("Reasons of objects left out", reasons)
    let dialect = try Self.text("Sources/Ferry/Ferry.docc/moving-from-parse-local-datastore.md")
    for reason in reasons { #expect(dialect.contains("`\(reason)`"), "\(reason)") }
  }

  @Test func `the article lists each check of the doctor`() throws {
    let names = try Self.sources("Tools/FerryTool/Doctor").flatMap { source in
      source.matches(of: #/(?:let name = |Check\(\s*)"([^"]+)"/#).map { String($0.1) }
    }
    let commands = try Self.text("Tools/FerryTool/Commands/DoctorCommand.swift")
      .matches(of: #/Check\("([^"]+)"/#).map { String($0.1) }
    let known = (names + commands).map {
      $0.replacing(#/\\\([\w.]+\)/#, with: "CLASS")
    }
    try expect("Names of checks", known)
  }

  private func expect(
    _ title: String, _ values: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let documented = try #require(JSONDocumentation().values[title], sourceLocation: sourceLocation)
    #expect(Set(documented.keys) == Set(values), sourceLocation: sourceLocation)
    #expect(!values.isEmpty, sourceLocation: sourceLocation)
  }

  /// The raw values of the codes that a source file declares.
  private static func codes(in path: String) throws -> [String] {
    try text(path).matches(of: #/static let \w+ = (?:Code|Self)\(rawValue: "([^"]+)"\)/#).map {
      String($0.1)
    }
  }

  /// The errors that the tool itself names.
  private static func failuresOfTheTool() throws -> [(ExitCode, String)] {
    let codes = Dictionary(uniqueKeysWithValues: ExitCode.allCases.map { ("\($0)", $0) })
    return try sources("Tools/FerryTool").flatMap { source in
      source.matches(of: #/\.(\w+), "([a-z]+(?:-[a-z]+)*)"/#).compactMap { match in
        codes[String(match.1)].map { ($0, String(match.2)) }
      }
    }
  }

  private static func sources(_ folder: String) throws -> [String] {
    let files = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
