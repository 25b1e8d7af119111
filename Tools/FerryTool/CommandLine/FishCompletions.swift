// Ferry: offline-first sync for Parse Server. MIT licence.

/// Completions for fish: one line for each command and each of its flags.
enum FishCompletions {
  static var script: String {
    let start = [
      "# fish completions for ferry; made by \"ferry completions fish\".", "complete -c ferry -f",
    ]
    return (start + CommandTable.commands.flatMap(lines)).joined(separator: "\n") + "\n"
  }

  private static func lines(of command: Command) -> [String] {
    let name = command.name.rawValue
    let isCommand = "complete -c ferry -n '__fish_seen_subcommand_from \(name)'"
    var lines = [
      "complete -c ferry -n __fish_use_subcommand -a \(name) -d \(command.summary.shellQuoted)"
    ]
    if let operand = command.operand {
      let choices = operand.choices.joined(separator: " ").shellQuoted
      let words = operand.isRepeated ? "-F" : "-a \(choices) -d \(operand.valueName.shellQuoted)"
      lines.append("\(isCommand) \(words)")
    }
    return lines + CommandTable.flags(of: command).map { "\(isCommand)\(options(of: $0))" }
  }

  private static func options(of flag: Flag) -> String {
    var text = " -l \(flag.name.rawValue)"
    if let letter = flag.letter { text += " -s \(letter)" }
    if flag.arity != .none {
      switch flag.completion {
      case .nothing: text += " -x"
      case .file: text += " -r -F"
      case .folder: text += " -x -a '(__fish_complete_directories)'"
      case .choices(let choices): text += " -x -a \(choices.joined(separator: " ").shellQuoted)"
      }
    }
    return text + " -d \(flag.sentence.shellQuoted)"
  }
}
