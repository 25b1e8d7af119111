// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry completions`: prints a shell's script.
struct CompletionsCommand {
  var console: Console
  var command: ParsedCommand

  func run() -> ExitCode {
    // The parser has let only known shells through.
    guard let shell = command.operand.flatMap(Shell.init) else { return .usage }
    console.message(
      JSONMessage(
        "completions", ["shell": .string(shell.rawValue), "script": .string(shell.completions)]))
    console.result(shell.completions)
    return .success
  }
}
