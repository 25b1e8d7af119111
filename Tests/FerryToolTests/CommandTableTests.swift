// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct CommandTableTests {
  private static let flags: [(Command, Flag)] = CommandTable.commands.flatMap { command in
    CommandTable.flags(of: command).map { (command, $0) }
  }

  @Test func `the command table lists every command and flag`() {
    #expect(CommandTable.commands.map(\.name) == Command.Name.allCases)
    let used = Set(Self.flags.map(\.1.name))
    #expect(used == Set(Flag.Name.allCases))
  }

  @Test func `the parser knows every flag of the command table`() throws {
    for (command, flag) in Self.flags {
      var arguments = [command.name.rawValue, flag.text]
      if case .choices(let choices) = flag.completion {
        arguments.append(choices[0])
      } else if flag.arity != .none {
        arguments.append("1")
      }
      if let operand = command.operand, operand.isRequired {
        arguments.insert(operand.choices.first ?? "1", at: 1)
      }
      switch try ArgumentParser.parse(arguments) {
      case .command(let parsed): #expect(parsed.has(flag.name))
      case .help: #expect(flag.name == .help || command.name == .help)
      }
    }
  }

  @Test func `the help and all completions name every flag`() {
    for (command, flag) in Self.flags {
      let name = command.name.rawValue
      #expect(HelpText.page(name).contains(flag.usage))
      #expect(bashWords(name).contains(flag.text))
      #expect(zshCase(name).contains("'\(flag.arity == .several ? "*" : "")\(flag.text)["))
      #expect(
        FishCompletions.script.contains("seen_subcommand_from \(name)' -l \(flag.name.rawValue)"))
      guard let letter = flag.letter else { continue }
      #expect(bashWords(name).contains("-\(letter)"))
      #expect(zshCase(name).contains("'-\(letter)["))
      #expect(FishCompletions.script.contains(" -s \(letter) "))
    }
  }

  @Test(arguments: Command.Name.allCases)
  func `the help and all completions name every command`(command: Command.Name) {
    #expect(HelpText.page(nil).contains("\n  \(command.rawValue) "))
    for shell in Shell.allCases { #expect(shell.completions.contains(command.rawValue)) }
  }

  @Test(arguments: CommandTable.commands.indices)
  func `the parser understands every example of the command table`(index: Int) throws {
    for example in CommandTable.commands[index].examples {
      let words = example.line.split(separator: " ").prefix { $0 != ">" }.map(String.init)
      #expect(words.first == "ferry")
      _ = try ArgumentParser.parse(Array(words.dropFirst()))
    }
  }

  private func bashWords(_ command: String) -> [String] {
    let lines = BashCompletions.script.split(separator: "\n")
    let line = lines.first { $0.hasPrefix("    \(command)) words=") } ?? ""
    return line.split { " \"".contains($0) }.map(String.init)
  }

  private func zshCase(_ command: String) -> Substring {
    let script = ZshCompletions.script
    guard let start = script.range(of: "    \(command)) _arguments"),
      let end = script.range(of: ";;", range: start.upperBound..<script.endIndex)
    else { return "" }
    return script[start.upperBound..<end.lowerBound]
  }
}
