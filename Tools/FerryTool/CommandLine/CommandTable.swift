// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// Every command there is: the one source of the parser, the help and the completions.
enum CommandTable {
  static let commands: [Command] = [
    initialize, plan, sync, verify, status, outbox, staging, history, doctor, help, completions,
    version,
  ]

  static func command(_ name: Command.Name) -> Command? { commands.first { $0.name == name } }

  /// All flags a command takes, its own first.
  static func flags(of command: Command) -> [Flag] { command.flags + sharedFlags }

  /// Words that `ferry help` explains beside the commands.
  static let topics = ["exit-codes", "configuration", "environment"]

  private static let initialize = Command(
    name: .initialize, summary: "Write ferry.json for a server and some of its classes",
    details: [
      "Field types come from the server's schemas when a master key is given, else from the newest "
        + "rows of each class. Look at the file afterwards: fields that no row has a value for are "
        + "named, and have to be added by hand.",
      "Keys are read from files when they are needed. The configuration holds their paths only, and "
        + "no key ever stands on a command line.",
    ],
    examples: [
      .init(
        line: "ferry init --server https://parse.example.com/1 --application-id demo "
          + "--rest-key-file rest.key --class League Game",
        meaning: "Prepare the current folder for two classes."),
      .init(
        line: "ferry init --server http://127.0.0.1:1337/parse --application-id app1 "
          + "--master-key-file master.key --class Game --directory games",
        meaning: "Take the field types from the server's schemas."),
    ],
    flags: FlagTable.initialize)

  private static let plan = Command(
    name: .plan, summary: "Show what a sync would do, and do none of it",
    details: [
      "The stages run on copies of the store and of the staged pages. Reads go to the server, writes "
        + "are answered here: nothing is written on either side."
    ],
    examples: [
      .init(line: "ferry plan", meaning: "Everything the next sync would do."),
      .init(
        line: "ferry plan --through delete-missing",
        meaning: "Only what would change here, nothing that would be sent."),
      .init(
        line: "ferry plan --exit-code --quiet",
        meaning: "For scripts: exit code 2 when there is anything to do."),
    ],
    flags: FlagTable.stages + [FlagTable.compare, FlagTable.adopt] + FlagTable.removals
      + [FlagTable.exitCode, FlagTable.allowCleartext, FlagTable.verbose])

  private static let sync = Command(
    name: .sync, summary: "Bring the store and the server in step",
    details: [
      "A sync that was stopped, by whatever, goes on with the next one. Ctrl-C finishes the current "
        + "transaction; a second Ctrl-C stops at once. Neither leaves anything to repair."
    ],
    examples: [
      .init(line: "ferry sync", meaning: "All six stages, in the current folder."),
      .init(
        line: "ferry sync --through download",
        meaning: "Fetch the server's answers as JSON files into staging/, to look at."),
      .init(line: "ferry sync --only import", meaning: "Go on from them."),
      .init(
        line: "ferry sync --max-delete 5%",
        meaning: "Hold back removals of more than a twentieth of a class."),
      .init(
        line: "ferry sync --compare everything",
        meaning: "Mend what verify found, and after a change of roles or permissions."),
      .init(
        line: "ferry sync --adopt anonymous-data",
        meaning: "The first sync after a login, of what was edited without one."),
    ],
    flags: FlagTable.stages + [FlagTable.compare, FlagTable.adopt] + FlagTable.removals
      + [FlagTable.allowCleartext])

  private static let verify = Command(
    name: .verify, summary: "Compare every record of both sides, and change neither",
    details: [
      "A sync asks for what has changed and compares counts, which is quick and nearly always enough. "
        + "This compares the ids and versions of all records: one request for every thousand. What "
        + "differs is told by class and record: missing here, in another version here, gone on the "
        + "server, held back, waiting to be sent, quarantined.",
      "The exit code is 2 when anything differs, and 3 when something could not be compared.",
    ],
    examples: [
      .init(line: "ferry verify", meaning: "\"Both sides are equal\", or what differs."),
      .init(line: "ferry verify --json", meaning: "A line for each difference, for programs."),
      .init(
        line: "ferry sync --compare everything",
        meaning: "Bring both sides in step afterwards."),
    ],
    flags: [FlagTable.allowCleartext, FlagTable.verbose])

  private static let status = Command(
    name: .status, summary: "Show what is here and what is unsent; asks no server",
    examples: [
      .init(line: "ferry status", meaning: "One line for each class."),
      .init(line: "ferry status --json", meaning: "The same, for programs."),
    ])

  private static let outbox = Command(
    name: .outbox, summary: "List unsent changes, their state and why they wait",
    examples: [
      .init(line: "ferry outbox", meaning: "Every unsent change."),
      .init(line: "ferry outbox --class Game", meaning: "Those of one class."),
    ],
    flags: [FlagTable.classFilter])

  private static let staging = Command(
    name: .staging, summary: "List the server's answers that are kept for the import",
    examples: [.init(line: "ferry staging", meaning: "Each listing and its pages.")])

  private static let history = Command(
    name: .history, summary: "Show the newest changes of the rows, whoever made them",
    examples: [
      .init(line: "ferry history", meaning: "The newest 20 changes, newest last."),
      .init(
        line: "ferry history --after 1041 --limit 100",
        meaning: "What came after a place in history."),
    ],
    flags: [FlagTable.limit, FlagTable.after, FlagTable.classFilter])

  private static let doctor = Command(
    name: .doctor, summary: "Look at the server and at this machine before a sync",
    details: [
      "Each line is \"ok\", a \"notice\" (a sync works, but slower), a \"problem\" or \"unknown\" (it cannot "
        + "be told; most often, only the master key may ask). Nothing is written to the server without "
        + "--write, and what is written is named first.",
      "Ends with 0 unless there is a problem, else with the exit code of the first one: 69 where the "
        + "server cannot be reached, 76 where it is no Parse Server, 77 where a key, a login or a permission "
        + "is missing, 78 where an address or a file's permissions are wrong.",
    ],
    examples: [
      .init(line: "ferry doctor", meaning: "What works, what does not, and what to do."),
      .init(line: "ferry doctor --write", meaning: "Also try whether ids may be chosen here."),
      .init(
        line: "ferry doctor --write --make-index",
        meaning: "Also make the indexes that a pull wants."),
    ],
    flags: FlagTable.writing + [FlagTable.allowCleartext])

  private static let help = Command(
    name: .help, summary: "Explain a command or a topic",
    examples: [
      .init(line: "ferry help sync", meaning: "What sync does, and its flags."),
      .init(line: "ferry help exit-codes", meaning: "What each exit code means."),
    ],
    operand: .init(
      valueName: "TOPIC", sentence: "A command, or one of \(topics.joined(separator: ", ")).",
      choices: Command.Name.allCases.map(\.rawValue) + topics, isRequired: false))

  private static let completions = Command(
    name: .completions, summary: "Print a script that completes commands and flags",
    examples: [
      .init(
        line: "ferry completions bash > ~/.local/share/bash-completion/completions/ferry",
        meaning: "For bash."),
      .init(line: "ferry completions zsh > ~/.zfunc/_ferry", meaning: "For zsh, on its fpath."),
      .init(
        line: "ferry completions fish > ~/.config/fish/completions/ferry.fish",
        meaning: "For fish."),
    ],
    operand: .init(
      valueName: "SHELL", sentence: "The shell.", choices: Shell.allCases.map(\.rawValue),
      isRequired: true))

  private static let version = Command(
    name: .version, summary: "Print the version",
    examples: [.init(line: "ferry version", meaning: "The version, on one line.")])
}
