// Ferry: offline-first sync for Parse Server. MIT licence.

/// Reads a command line by the command table.
enum ArgumentParser {
  /// Reads the arguments after the tool's own name.
  static func parse(_ arguments: [String]) throws(Failure) -> Invocation {
    let words = arguments.prefix { $0 != "--" }
    if words.contains(where: { $0 == "--help" || $0 == "-h" }) {
      return .help(words.first { Command.Name(rawValue: $0) != nil && $0 != "help" })
    }
    guard let first = arguments.first else { return .help(nil) }
    let name: String = first == "--version" ? "version" : first
    guard let name = Command.Name(rawValue: name), let command = CommandTable.command(name) else {
      throw unknown(first)
    }
    var reader = Reader(command: command, rest: arguments.dropFirst())
    let parsed = try reader.read()
    if name == .help { return .help(parsed.operand) }
    return .command(parsed)
  }

  private static func unknown(_ word: String) -> Failure {
    guard word.hasPrefix("-") else {
      return Failure(
        usage: "command", word, notAmong: Command.Name.allCases.map(\.rawValue), see: "ferry help")
    }
    return Failure(
      usage:
        "\(word.quoted) is no command. The command comes first, then its flags. \"ferry help\" lists the "
        + "commands.")
  }
}

/// Goes through the arguments of one command.
private struct Reader {
  let command: Command
  var rest: ArraySlice<String>
  private var parsed: ParsedCommand

  init(command: Command, rest: ArraySlice<String>) {
    self.command = command
    self.rest = rest
    parsed = ParsedCommand(command.name)
  }

  mutating func read() throws(Failure) -> ParsedCommand {
    while let word = rest.popFirst() {
      if word == "--" {
        for operand in rest { try take(operand: operand) }
        rest = []
      } else if word.hasPrefix("-"), word != "-" {
        try take(flag: word)
      } else {
        try take(operand: word)
      }
    }
    if let operand = command.operand, operand.isRequired, parsed.operand == nil {
      let choices = operand.choices.isEmpty ? "" : ": \(operand.choices.joined(separator: ", "))"
      throw Failure(
        usage: "ferry \(command.name.rawValue) needs a \(operand.valueName)\(choices). "
          + "\"ferry help \(command.name.rawValue)\" shows how it is used.")
    }
    return parsed
  }

  private mutating func take(flag word: String) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let flags = CommandTable.flags(of: command)
    guard let name = parts.first, let flag = flags.first(where: { $0.isCalled(name) }) else {
      throw Failure(
        usage: "flag", String(parts.first ?? ""), notAmong: flags.map(\.text),
        see: "ferry help \(command.name.rawValue)")
    }
    guard flag.arity != .several || parts.count == 2 else {
      return parsed.add(try takeValues(of: flag), to: flag.name)
    }
    guard flag.arity != .none else {
      guard parts.count == 1 else { throw Failure(usage: "\(flag.text) takes no value.") }
      return parsed.add([], to: flag.name)
    }
    guard flag.arity == .several || !parsed.has(flag.name) else {
      throw Failure(usage: "\(flag.text) is given twice; it takes one \(flag.valueName).")
    }
    let value = parts.count == 2 ? String(parts[1]) : takeValue()
    parsed.add([try checked(value, of: flag)], to: flag.name)
  }

  /// The next word, unless it is a flag: such a value is written `--flag=VALUE`.
  private mutating func takeValue() -> String? {
    rest.first.map { $0.hasPrefix("--") } ?? true ? nil : rest.popFirst()
  }

  /// All words up to the next flag.
  private mutating func takeValues(of flag: Flag) throws(Failure) -> [String] {
    let values = rest.prefix { !$0.hasPrefix("-") }
    rest = rest.dropFirst(values.count)
    _ = try checked(values.first, of: flag)
    return Array(values)
  }

  private func checked(_ value: String?, of flag: Flag) throws(Failure) -> String {
    guard let value, !value.isEmpty else {
      throw Failure(usage: "\(flag.text) needs a value (\(flag.usage)).")
    }
    if case .choices(let choices) = flag.completion, !choices.contains(value) {
      let remedy =
        Suggestion.nearest(to: value, among: choices).map { "Did you mean \($0)?" }
        ?? "It takes one of: \(choices.joined(separator: ", "))."
      throw Failure(usage: "\(flag.text) does not know \(value.quoted). \(remedy)")
    }
    return value
  }

  private mutating func take(operand word: String) throws(Failure) {
    guard let operand = command.operand else {
      throw Failure(
        usage: "ferry \(command.name.rawValue) takes flags only, and no \(word.quoted). "
          + "\"ferry help \(command.name.rawValue)\" shows how it is used.")
    }
    if operand.isRepeated { parsed.operands.append(word) }
    guard parsed.operand == nil else {
      guard !operand.isRepeated else { return }
      return try take(secondOperand: word, after: operand)
    }
    guard operand.choices.isEmpty || operand.choices.contains(word) else {
      throw Failure(
        usage: operand.valueName.lowercased(), word, notAmong: operand.choices,
        see: "ferry help \(command.name.rawValue)")
    }
    parsed.operand = word
  }

  private mutating func take(
    secondOperand word: String, after operand: Command.Operand
  ) throws(Failure) {
    guard command.secondOperand != nil, parsed.secondOperand == nil else {
      let names = [operand, command.secondOperand].compactMap { $0?.valueName }
      throw Failure(
        usage: "ferry \(command.name.rawValue) takes one \(names.joined(separator: " and one ")).")
    }
    parsed.secondOperand = word
  }
}

extension Flag {
  fileprivate func isCalled(_ word: some StringProtocol) -> Bool {
    word == text || letter.map { word == "-\($0)" } ?? false
  }
}
