// Ferry: offline-first sync for Parse Server. MIT licence.

/// Completions for zsh, by its `_arguments`.
enum ZshCompletions {
  static var script: String {
    """
    #compdef ferry
    # zsh completions for ferry; made by "ferry completions zsh".
    _ferry() {
      local -a commands
      commands=(
    \(commands.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe -t commands command commands
        return
      fi
      local command="${words[2]}"
      shift words
      (( CURRENT-- ))
      case "$command" in
    \(cases.joined(separator: "\n"))
      esac
    }
    if [[ "${funcstack[1]}" == _ferry ]]; then
      _ferry "$@"
    elif (( $+functions[compdef] )); then
      compdef _ferry ferry
    fi

    """
  }

  private static var commands: [String] {
    CommandTable.commands.map { "    \("\($0.name.rawValue):\($0.summary)".shellQuoted)" }
  }

  private static var cases: [String] {
    CommandTable.commands.map { command in
      var arguments = CommandTable.flags(of: command).flatMap(specifications)
      if let operand = command.operand {
        let words = operand.isRepeated ? "_files" : "(\(operand.choices.joined(separator: " ")))"
        let place = operand.isRepeated ? "*" : "1"
        arguments.append("\(place):\(operand.valueName):\(words)".shellQuoted)
      }
      if let operand = command.secondOperand {
        arguments.append("2:\(operand.valueName): ".shellQuoted)
      }
      return "    \(command.name.rawValue)) _arguments \\\n      "
        + arguments.joined(separator: " \\\n      ") + " ;;"
    }
  }

  private static func specifications(_ flag: Flag) -> [String] {
    let action =
      switch flag.completion {
      case .nothing: " "
      case .file: "_files"
      case .folder: "_files -/"
      case .choices(let choices): "(\(choices.joined(separator: " ")))"
      }
    let value = flag.arity == .none ? "" : ":\(flag.valueName.escaped):\(action)"
    let names = [flag.text] + (flag.letter.map { ["-\($0)"] } ?? [])
    let many = flag.arity == .several ? "*" : ""
    return names.map { "\(many)\($0)[\(flag.sentence.escaped)]\(value)".shellQuoted }
  }
}

extension String {
  /// With the characters escaped that mean something in a specification of `_arguments`.
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      text += "[]:\\".contains(character) ? "\\\(character)" : "\(character)"
    }
  }
}
