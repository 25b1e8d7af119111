// Ferry: offline-first sync for Parse Server. MIT licence.

/// The request of a command line.
enum Invocation: Sendable, Equatable {
  /// An explanation of a command or topic; of the tool when it is nil.
  case help(String?)
  case command(ParsedCommand)
}

/// A command with its flags and operands, all of which the table knows.
struct ParsedCommand: Sendable, Equatable {
  var name: Command.Name
  var operand: String?
  var secondOperand: String?
  /// All operands of a command that takes several.
  var operands: [String] = []
  private var values: [Flag.Name: [String]] = [:]

  init(_ name: Command.Name) { self.name = name }

  func has(_ flag: Flag.Name) -> Bool { values[flag] != nil }

  /// The value of a flag that takes one.
  func value(_ flag: Flag.Name) -> String? { values[flag]?.last }

  /// The value of a flag that takes a whole number.
  func number(_ flag: Flag.Name) throws(Failure) -> Int? {
    guard let text = value(flag) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw Failure(usage: "--\(flag.rawValue) takes a whole number, not \(text.quoted).")
    }
    return number
  }

  /// The value of a flag that takes a number of seconds, of which a message names an example.
  func seconds(_ flag: Flag.Name, suchAs example: Int) throws(Failure) -> Duration? {
    guard let text = value(flag) else { return nil }
    guard let seconds = Double(text), seconds >= 1, seconds <= 86_400 else {
      throw Failure(
        usage:
          "--\(flag.rawValue) takes a number of seconds from 1 to 86400, such as \(example), not "
          + "\(text.quoted).")
    }
    return .seconds(seconds)
  }

  /// The greatest number of lines that a command shows; 20 unless `--limit` names another.
  var limit: Int {
    get throws(Failure) {
      guard let text = value(.limit) else { return 20 }
      guard let limit = Int(text), (1...1_000_000_000).contains(limit) else {
        throw Failure(
          usage: "--limit takes a whole number from 1 to 1000000000, not \(text.quoted).")
      }
      return limit
    }
  }

  /// The values of a flag that takes several.
  func values(_ flag: Flag.Name) -> [String] { values[flag] ?? [] }

  /// The values of `--class`, also those that commas separate: no name has one.
  var classNames: [String] {
    values(.className).flatMap { $0.split(separator: ",").map(String.init) }
  }

  /// Whether the command changes neither the store nor the server.
  var onlyReads: Bool {
    switch name {
    case .sync, .watch, .restore, .undo, .login, .logout, .files: false
    case .importing: has(.dryRun)
    case .doctor: !has(.write)
    case .outbox: !outboxAction.writes
    case .conflicts: !conflictsAction.writes
    case .quarantine: quarantineAction != .retry
    case .initialize, .plan, .verify, .status, .explain, .staging, .history, .whoami, .generate,
      .help,
      .completions, .version:
      true
    }
  }

  mutating func add(_ added: [String], to flag: Flag.Name) { values[flag, default: []] += added }
}
