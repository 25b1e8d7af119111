// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct ArgumentParserTests {
  private func parse(_ line: String) throws(Failure) -> Invocation {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init))
  }

  private func command(_ line: String) throws -> ParsedCommand {
    guard case .command(let command) = try parse(line) else {
      throw Failure(usage: "This asks for help.")
    }
    return command
  }

  @Test(
    arguments: [
      ("", nil), ("--help", nil), ("-h", nil), ("help", nil), ("help sync", "sync"),
      ("sync --help", "sync"), ("sync --only --help", "sync"), ("-h plan", "plan"),
      ("plan --nonsense -h", "plan"), ("help exit-codes", "exit-codes"), ("help --help", nil),
    ] as [(String, String?)])
  func `help is found wherever its flag stands`(line: String, topic: String?) throws {
    #expect(try parse(line) == .help(topic))
  }

  @Test func `flags take values with and without an equals sign, in any order`() throws {
    let command = try command("sync --through=download --json --max-delete 5% --directory a/b -q")
    #expect(command.name == .sync)
    #expect(command.value(.through) == "download")
    #expect(command.value(.maxDelete) == "5%")
    #expect(command.value(.directory) == "a/b")
    #expect(command.has(.json))
    #expect(command.has(.quiet))
    #expect(!command.has(.noColor))
  }

  @Test func `a flag collects several values after it and from its repetitions`() throws {
    let command = try command("init --class League Game --server URL --class=Team --force")
    #expect(command.values(.className) == ["League", "Game", "Team"])
    #expect(command.value(.server) == "URL")
    #expect(command.has(.force))
  }

  @Test func `the version flag and the version command are understood`() throws {
    #expect(try command("--version").name == .version)
    #expect(try command("version").name == .version)
  }

  @Test func `two hyphens end the flags`() throws {
    #expect(try command("completions -- fish").operand == "fish")
    #expect(throws: Failure.self) { try parse("completions -- -h") }
  }

  @Test(arguments: [
    "snyc", "--directory x sync", "sync --onyl download", "sync --only downlaod",
    "sync --only nothing", "sync --only", "sync --directory --json", "sync --json=yes",
    "sync --only import --only download", "sync now", "status Game", "completions",
    "completions tcsh", "completions bash zsh", "help synk", "init --class", "frobnicate",
    "plan --directory=",
  ])
  func `a wrong command line is refused with a suggestion`(line: String) throws {
    let error = #expect(throws: Failure.self) { try parse(line) }
    let name = line.map { $0.isLetter || $0.isNumber ? $0 : "-" }
    try Snapshot.expect(error?.message ?? "", is: "usage/\(String(name.drop { $0 == "-" }))")
  }

  @Test(
    arguments: [
      ("sycn", "sync"), ("stat", "status"), ("histroy", "history"), ("otubox", "outbox"),
      ("SYNC", "sync"), ("xyzzy", nil), ("p", nil), ("", nil),
    ] as [(String, String?)])
  func `a suggestion is near to the mistaken word`(word: String, meant: String?) {
    let known = Command.Name.allCases.map(\.rawValue)
    #expect(Suggestion.nearest(to: word, among: known) == meant)
  }

  @Test(arguments: [
    ("", "", 0), ("sync", "sync", 0), ("snyc", "sync", 1), ("syn", "sync", 1), ("a", "", 1),
  ])
  func `the distance of two words is their number of mistakes`(
    left: String, right: String, expected: Int
  ) {
    #expect(Suggestion.distance(left, right) == expected)
    #expect(Suggestion.distance(right, left) == expected)
  }
}
