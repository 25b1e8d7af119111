// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// One call of the tool, from its arguments to its exit code.
struct Tool {
  private let arguments: [String]
  private let environment: [String: String]
  private let console: Console

  init(
    arguments: [String], environment: [String: String], output: any ByteSink,
    errors: any ByteSink
  ) {
    self.arguments = arguments
    self.environment = environment
    // Looked for by hand, so that a command line that cannot be parsed is answered in kind.
    console = Console(
      facts: .current(
        environment: environment, refusesColour: arguments.contains("--no-color")),
      isJSON: arguments.contains("--json"),
      isQuiet: arguments.contains("--quiet") || arguments.contains("-q"), output: output,
      errors: errors)
  }

  func run() async -> ExitCode {
    let interruption = Interruption(console: console)
    let exitCode: ExitCode
    do {
      exitCode = try await run(ArgumentParser.parse(arguments), interruption)
    } catch {
      exitCode = ended(by: error, interruption)
    }
    guard let failure = console.outputFailure else { return exitCode }
    console.failure(
      Failure(
        .inputOutput, "output",
        "ferry cannot write its output: \(String(cString: strerror(failure))). The command itself ended "
          + "with exit code \(exitCode.rawValue). Make room, or write the output elsewhere."))
    return .inputOutput
  }

  private func ended(by failure: Failure, _ interruption: Interruption) -> ExitCode {
    var failure = failure
    if failure.exitCode == .interrupted, let exitCode = interruption.exitCode {
      failure.exitCode = exitCode
    }
    console.failure(failure)
    return failure.exitCode
  }

  private func run(_ invocation: Invocation, _ interruption: Interruption) async throws(Failure)
    -> ExitCode
  {
    let command: ParsedCommand
    switch invocation {
    case .help(let topic): return HelpCommand(console: console, topic: topic).run()
    case .command(let parsed): command = parsed
    }
    let session = Session(
      command: command, console: console, interruption: interruption,
      workspace: Workspace(flag: command.value(.directory), environment: environment))
    do {
      return try await run(session)
    } catch {
      throw error.ending(command)
    }
  }

  private func run(_ session: Session) async throws(Failure) -> ExitCode {
    let command = session.command
    switch command.name {
    case .initialize: return try InitCommand(session: session).run()
    case .plan: return try await PlanCommand(session: session).run()
    case .sync: return try await SyncCommand(session: session).run()
    case .watch: return try await WatchCommand(session: session).run()
    case .verify: return try await VerifyCommand(session: session).run()
    case .status: return try StatusCommand(session: session).run()
    case .explain: return try await ExplainCommand(session: session).run()
    case .outbox: return try OutboxCommand(session: session).run()
    case .importing: return try await ImportCommand(session: session).run()
    case .staging: return try StagingCommand(session: session).run()
    case .files: return try await FilesCommand(session: session).run()
    case .conflicts: return try ConflictsCommand(session: session).run()
    case .restore: return try RestoreCommand(session: session).run()
    case .quarantine: return try QuarantineCommand(session: session).run()
    case .history: return try HistoryCommand(session: session).run()
    case .undo: return try UndoCommand(session: session).run()
    case .login: return try await LoginCommand(session: session).run()
    case .logout: return try await LogoutCommand(session: session).run()
    case .whoami: return try await WhoamiCommand(session: session).run()
    case .generate: return try GenerateCommand(session: session).run()
    case .doctor: return try await DoctorCommand(session: session).run()
    case .help: return HelpCommand(console: console, topic: command.operand).run()
    case .completions: return CompletionsCommand(console: console, command: command).run()
    case .version: return VersionCommand(console: console).run()
    }
  }
}
