// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A command of the tool, as the parser, the help and the completions all read it.
struct Command: Sendable {
  /// The word a command is called by.
  enum Name: String, CaseIterable, Sendable {
    case initialize = "init"
    case doctor, plan, sync, watch, verify, status, explain, outbox, conflicts, restore, quarantine,
      importing = "import", staging, files, history, undo, login, logout, whoami, generate
    case help, completions, version
  }

  /// A word that may follow the command, beside its flags.
  struct Operand: Sendable {
    var valueName: String
    var sentence: String
    /// The words that it may be; empty for any word.
    var choices: [String] = []
    var isRequired: Bool
    /// Whether several words may follow; such a command has no second operand.
    var isRepeated = false
  }

  /// A line to type, and what it does.
  struct Example: Sendable {
    var line: String
    var meaning: String
  }

  var name: Name
  /// One clause without a full stop, for lists.
  var summary: String
  /// The paragraphs of the command's own page, below its flags.
  var details: [String] = []
  var examples: [Example]
  var operand: Operand?
  /// A word that may follow the operand.
  var secondOperand: Operand?
  /// Its own flags; those of every command are `CommandTable.sharedFlags`.
  var flags: [Flag] = []
}
