// Ferry: offline-first sync for Parse Server. MIT licence.

/// Completions for bash: a function that offers the flags of the command on the line.
enum BashCompletions {
  static var script: String {
    """
    # bash completions for ferry; made by "ferry completions bash".
    _ferry() {
      local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" word
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$word" in
          \(commandNames("|"))) command="$word"; break ;;
        esac
      done
      case "$previous" in
    \(values.joined(separator: "\n"))
      esac
      local words=""
      case "$command" in
        "") words="\(commandNames(" "))" ;;
    \(commands.joined(separator: "\n"))
      esac
      COMPREPLY=($(compgen -W "$words" -- "$current"))
    }
    complete -F _ferry ferry

    """
  }

  private static func commandNames(_ separator: String) -> String {
    CommandTable.commands.map(\.name.rawValue).joined(separator: separator)
  }

  private static var commands: [String] {
    CommandTable.commands.map { command in
      let flags = CommandTable.flags(of: command).flatMap { flag in
        [flag.text] + (flag.letter.map { ["-\($0)"] } ?? [])
      }
      let words = (command.operand?.choices ?? []) + flags
      return "    \(command.name.rawValue)) words=\"\(words.joined(separator: " "))\" ;;"
    }
  }

  /// The words after a flag that takes a value; no flag means two things in two commands but `--class`.
  private static var values: [String] {
    var seen = Set<Flag.Name>()
    let flags = CommandTable.commands.flatMap { CommandTable.flags(of: $0) }
    return flags.filter { $0.arity != .none && seen.insert($0.name).inserted }.map { flag in
      let reply =
        switch flag.completion {
        case .nothing: "COMPREPLY=()"
        case .file: #"COMPREPLY=($(compgen -f -- "$current"))"#
        case .folder: #"COMPREPLY=($(compgen -d -- "$current"))"#
        case .choices(let choices):
          #"COMPREPLY=($(compgen -W "\#(choices.joined(separator: " "))" -- "$current"))"#
        }
      return "    \(flag.text)) \(reply); return ;;"
    }
  }
}
