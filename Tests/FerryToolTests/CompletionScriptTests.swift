// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct CompletionScriptTests {
  private func run(_ program: String, _ arguments: [String]) throws -> (code: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private func path(of shell: Shell) -> String? {
    ["/bin/\(shell.rawValue)", "/usr/bin/\(shell.rawValue)", "/usr/local/bin/\(shell.rawValue)"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(arguments: Shell.allCases)
  func `each shell reads its completion script without an error`(shell: Shell) throws {
    guard let path = path(of: shell) else { return }
    let folder = try TemporaryFolder()
    let script = try folder.write(shell.completions, to: "ferry.\(shell)")
    let (code, text) = try run(path, ["-n", script.path(percentEncoded: false)])
    #expect(code == 0, "\(text)")
  }

  @Test(arguments: [
    ("ferry sy", "sync"), ("ferry sync --thr", "--through"),
    ("ferry sync --only impo", "import"), ("ferry --json", ""), ("ferry completions fi", "fish"),
    ("ferry plan --exit", "--exit-code"), ("ferry help exit", "exit-codes"),
  ])
  func `the completion script completes in bash`(line: String, expected: String) throws {
    let bash = path(of: .bash)
    let path = try #require(bash)
    let words = line.split(separator: " ").map(String.init)
    let script = """
      \(BashCompletions.script)
      COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      _ferry; echo "${COMPREPLY[*]}"
      """
    let (code, text) = try run(path, ["-c", script])
    #expect(code == 0)
    #expect(text == "\(expected)\n")
  }

  @Test func `the completion script completes in fish`() throws {
    guard let path = path(of: .fish) else { return }
    let folder = try TemporaryFolder()
    let script = try folder.write(FishCompletions.script, to: "ferry.fish").path(
      percentEncoded: false)
    let (_, text) = try run(
      path, ["--no-config", "-c", "source \(script); complete -C 'ferry sync --only im'"])
    #expect(text.hasPrefix("import"))
  }

  @Test func `zsh loads its completion script`() throws {
    guard let path = path(of: .zsh) else { return }
    let folder = try TemporaryFolder()
    let script = try folder.write(ZshCompletions.script, to: "_ferry").path(percentEncoded: false)
    let (code, text) = try run(
      path,
      [
        "-f", "-c",
        "autoload -Uz compinit; compinit -D -u; source \(script); print ${_comps[ferry]}",
      ])
    #expect(code == 0)
    #expect(text == "_ferry\n")
  }
}
