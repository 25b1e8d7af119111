// Ferry: offline-first sync for Parse Server. MIT licence.

/// The pages of `ferry help`, made of the command table.
enum HelpText {
  /// The page of a command or topic; the tool's own for nil.
  static func page(_ topic: String?) -> String {
    if let name = topic.flatMap(Command.Name.init), let command = CommandTable.command(name) {
      return page(of: command)
    }
    return switch topic {
    case "exit-codes": exitCodes
    case "configuration": ConfigurationHelp.text
    case "columns": ColumnHelp.text
    case "relations": TopicHelp.relations
    case "merging": TopicHelp.merging
    case "environment": environment
    case "glossary": Glossary.text
    default: overview
    }
  }

  private static var overview: String {
    let commands = CommandTable.commands.map { ($0.name.rawValue, $0.summary) }
    return [
      "ferry syncs SQLite tables with a Parse Server, offline first.",
      section(
        "Examples",
        [
          "  ferry init --server URL --application-id ID --class NAME...",
          "  ferry doctor", "  ferry plan", "  ferry sync",
        ]),
      section("Commands", columns(commands)),
      section(
        "More",
        columns([
          ("ferry help COMMAND", "What a command does, and its flags"),
          ("ferry help exit-codes", "What each exit code means"),
          ("ferry help configuration", "The keys of ferry.json"),
          ("ferry help columns", "How columns hold each type of field"),
          ("ferry help relations", "How members of a relation are read and changed"),
          ("ferry help merging", "How edits of both sides become one value"),
          ("ferry help environment", "The environment variables that ferry reads"),
          ("ferry help glossary", "The words that Ferry uses, with examples"),
        ])),
      wrapped(
        "With --json, a command prints a JSON object a line. The article \"json-output\" of Ferry's "
          + "documentation (Sources/Ferry/Ferry.docc/json-output.md) lists the members of each.",
        indent: 0
      ).joined(separator: "\n"),
    ].joined(separator: "\n\n")
  }

  private static func page(of command: Command) -> String {
    var parts = ["ferry \(command.name.rawValue): \(command.summary.lowercasedFirst)."]
    let examples = command.examples.flatMap { ["  \($0.line)"] + wrapped($0.meaning, indent: 6) }
    parts.append(section("Examples", examples))
    parts.append(section("Usage", ["  \(usage(of: command))"]))
    let operands = [command.operand, command.secondOperand].compactMap(\.self)
    if !operands.isEmpty {
      parts.append(
        section(
          operands.count == 1 ? "Argument" : "Arguments",
          columns(operands.map { ($0.valueName, $0.sentence) })))
    }
    if !command.flags.isEmpty { parts.append(section("Flags", columns(of: command.flags))) }
    parts.append(section("Flags of every command", columns(of: CommandTable.sharedFlags)))
    let details = command.details + ["\"ferry help exit-codes\" lists the exit codes."]
    parts += details.map { wrapped($0, indent: 0).joined(separator: "\n") }
    return parts.joined(separator: "\n\n")
  }

  private static func usage(of command: Command) -> String {
    let operands = [command.operand, command.secondOperand].compactMap(\.self)
      .map { operand in
        let name = operand.valueName + (operand.isRepeated ? "..." : "")
        return operand.isRequired ? " \(name)" : " [\(name)]"
      }
    return "ferry \(command.name.rawValue)\(operands.joined()) [FLAGS]"
  }

  private static var exitCodes: String {
    let codes = ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }
    let ending =
      "With --json, the last line of the output tells an error: \"code\" is the exit code, and \"name\" "
      + "names the error."
    return section("The exit codes of ferry, which never change", columns(codes))
      + "\n\n" + wrapped(ending, indent: 0).joined(separator: "\n")
  }

  private static var environment: String {
    section(
      "The environment variables that ferry reads",
      columns([
        ("FERRY_DIRECTORY", "The folder to work in, unless --directory is given."),
        ("NO_COLOR", "Set to anything, it turns colours off."),
        ("TERM", "A \"dumb\" terminal gets neither colours nor a progress line."),
        (
          "TMPDIR",
          "The folder for a plan's copies of the store and the staged pages. Default: /tmp."
        ),
        ("COLUMNS", "The width of the output, if ferry cannot ask a terminal."),
        (
          "https_proxy",
          "The proxy for requests to other machines. libcurl reads it, and also http_proxy, all_proxy "
            + "and no_proxy."
        ),
      ]))
  }
}

extension HelpText {
  private static func section(_ title: String, _ lines: [String]) -> String {
    "\(title):\n\(lines.joined(separator: "\n"))"
  }

  private static func columns(of flags: [Flag]) -> [String] {
    columns(
      flags.map { flag in
        guard case .choices(let choices) = flag.completion else {
          return (flag.usage, flag.sentence)
        }
        return (flag.usage, "\(flag.sentence) One of: \(choices.joined(separator: ", ")).")
      })
  }

  /// Two columns, the second wrapped, within 79 characters.
  private static func columns(_ rows: [(String, String)]) -> [String] {
    let width = min(rows.map(\.0.count).max() ?? 0, 28)
    return rows.flatMap { left, right in
      let lines = wrapped(right, indent: width + 4)
      let start = "  " + left.padded(to: width)
      if left.count > width { return [start] + lines }
      return ["\(start)  \(lines.first?.drop { $0 == " " } ?? "")"] + lines.dropFirst()
    }
  }

  /// A text in lines of at most 79 characters.
  static func wrapped(_ text: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > 79 {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    lines.append(line)
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }
}

extension String {
  /// With spaces at its end up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
