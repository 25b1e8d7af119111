// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Every command there is: the one source of the parser, the help and the completions.
enum CommandTable {
  static let commands: [Command] = [
    initialize, doctor, plan, sync, watch, verify, status, explain, outbox, conflicts, restore,
    quarantine, importing,
    staging, files, history, undo, login, logout, whoami, generate, help, completions, version,
  ]

  static func command(_ name: Command.Name) -> Command? { commands.first { $0.name == name } }

  /// All flags a command takes, its own first.
  static func flags(of command: Command) -> [Flag] { command.flags + sharedFlags }

  /// Words that `ferry help` explains beside the commands.
  static let topics = [
    "exit-codes", "configuration", "columns", "relations", "merging", "environment", "glossary",
  ]

  private static let initialize = Command(
    name: .initialize, summary: "Write ferry.json for a server and some of its classes",
    details: [
      "With a master key, ferry takes the field types from the server's schemas. Without one, it takes "
        + "them from the newest rows of each class. It names the fields that no row shows; add them to "
        + "the file yourself.",
      "ferry.json holds the paths of key files, never a key. ferry reads a key file when it needs the "
        + "key. Make each key file yourself: one key on one line, and chmod 600.",
      "ferry init makes the folder if there is none. \"ferry help configuration\" shows the keys of "
        + "ferry.json.",
      "The exit code is 3 when a class or field is missing from the file; a warning names it.",
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
    name: .plan, summary: "Show what a sync would do, and change nothing",
    details: [
      "The stages run on copies of the store and of the staged pages. Reads go to the server. ferry "
        + "answers the writes itself, so nothing is written on either side.",
      "A plan names records and fields, and shows no values.",
      conflicting,
    ],
    examples: [
      .init(line: "ferry plan", meaning: "Everything the next sync would do."),
      .init(
        line: "ferry plan --through delete-missing",
        meaning: "Only the changes here, nothing that would be sent."),
      .init(
        line: "ferry plan --exit-code --quiet",
        meaning:
          "For scripts: exit code 2 if a sync has something to do, 3 if something is left that it cannot "
          + "do, else 0."),
    ],
    flags: FlagTable.runChoices + [FlagTable.exitCode, FlagTable.allowCleartext, FlagTable.verbose])

  private static let sync = Command(
    name: .sync, summary: "Bring the store and the server in step",
    details: [
      "The next sync continues a sync that was stopped. Ctrl-C ends the sync after the current "
        + "transaction; a second Ctrl-C ends it at once. Nothing needs repair then.",
      conflicting,
      "The exit code is 0 when nothing is left, 3 when something is left that \"ferry status\" lists, and 25 when "
        + "removals or deletes are held back.",
    ],
    examples: [
      .init(line: "ferry sync", meaning: "All six stages, in the current folder."),
      .init(
        line: "ferry sync --through download",
        meaning: "Write the server's answers as JSON files to staging/."),
      .init(line: "ferry sync --only import", meaning: "Import these files."),
      .init(
        line: "ferry sync --max-delete 5%",
        meaning: "Hold back removals and deletes of more than a twentieth of a class."),
      .init(
        line: "ferry sync --compare everything",
        meaning: "Correct what verify found; also after a change of roles or permissions."),
      .init(
        line: "ferry sync --adopt anonymous-data",
        meaning: "The first sync after a login: send what was edited without one."),
    ],
    flags: FlagTable.runChoices + [FlagTable.allowCleartext])

  private static let watch = Command(
    name: .watch, summary: "Sync after each edit and at intervals, until Ctrl-C",
    details: [
      "ferry syncs at once, soon after an edit of any program, at intervals, and when the network comes back. After a "
        + "failure it waits, longer each time, and as long as the server asks for. A sync in which nothing had changed "
        + "prints nothing.",
      "A failure that only a person can mend, such as a session that has ended, ends the command with its exit code. "
        + "ferry reads ferry.json and the key files once, so start it again after a change of them. Ctrl-C and SIGTERM end it with exit code 0, after the current transaction.",
    ],
    examples: [
      .init(line: "ferry watch", meaning: "Every five minutes, and after each edit."),
      .init(line: "ferry watch --interval 60", meaning: "Every minute, and after each edit."),
      .init(
        line: "ferry watch --prefetch Photo.image", meaning: "And fetch the file of each photo."),
      .init(line: "ferry watch --live", meaning: "And as soon as the server announces a change."),
      .init(line: "ferry watch --json", meaning: "The messages of each sync, for programs."),
    ],
    flags: [FlagTable.interval, FlagTable.prefetch] + FlagTable.live + FlagTable.removals.prefix(1)
      + [
        FlagTable.timeout, FlagTable.maxUncounted, FlagTable.maxUpload, FlagTable.allowCleartext,
      ])

  private static let verify = Command(
    name: .verify, summary: "Compare ids and versions of all records, and change nothing",
    details: [
      "A sync asks the server for changes and compares counts. This is quick and nearly always enough. "
        + "verify compares the ids and versions of all records, with one request for every thousand. It "
        + "lists each record that is missing here, in another version here, gone on the server, held "
        + "back, waiting to be sent, or quarantined.",
      "The exit code is 2 when anything differs, and 3 when something could not be compared.",
    ],
    examples: [
      .init(line: "ferry verify", meaning: "Prints \"Both sides are equal\", or the differences."),
      .init(
        line: "ferry verify --files",
        meaning: "Also ask for each file, and compare its size with the content in files/."),
      .init(line: "ferry verify --json", meaning: "A line for each difference, for programs."),
      .init(
        line: "ferry sync --compare everything",
        meaning: "Bring both sides in step afterwards."),
    ],
    flags: [FlagTable.files, FlagTable.timeout, FlagTable.allowCleartext, FlagTable.verbose])

  private static let status = Command(
    name: .status,
    summary: "Show the rows and what is unsent or waits; uses no network",
    examples: [
      .init(
        line: "ferry status",
        meaning: "One line for each class, then what is parked, blocked, held back or quarantined."),
      .init(line: "ferry status --json", meaning: "The same, for programs."),
    ])

  private static let explain = Command(
    name: .explain, summary: "Show one record, and what the next sync does with it and why",
    details: [
      "First comes what the store knows: the row, its unsent change with the values of both sides, and lost values. "
        + "Then ferry asks the server for the record, and shows each value beside the one here and the one that the "
        + "server had before a local edit. Last, it plans a sync, as \"ferry plan\" does, and shows what the sync does "
        + "with this record.",
      "If the server cannot be reached, ferry says so and shows the rest; the exit code is 0.",
    ],
    examples: [
      .init(line: "ferry explain --class Game --id 12", meaning: "The row 12 of Game."),
      .init(line: "ferry explain --class Game --id aB3 --json", meaning: "The same, for programs."),
      .init(
        line: "ferry explain --class Game --id 12 --offline",
        meaning: "Only what the store knows."),
    ],
    flags: FlagTable.record
      + [FlagTable.offline, FlagTable.shortTimeout, FlagTable.allowCleartext])

  private static let outbox = Command(
    name: .outbox, summary: "List the unsent changes and why they wait; retry or discard them",
    details: [
      "retry is for parked changes whose cause was mended, and for those that pause after failures: the next sync "
        + "sends them again. An edit of the row does the same.",
      "discard takes changes back: a new row leaves, an edited row gets the values that the server had, and a deleted "
        + "row comes back. ferry discards no change whose outcome is unknown, because the server may have it.",
      "counted and not-counted are for parked changes of a number whose answer was lost, where the record has changed since. "
        + "counted says that the server's value has the change. not-counted says that it does not: the next sync brings "
        + "the server's value and adds to it again. For two minutes after the loss, ferry waits, because the request may "
        + "still be at work.",
    ],
    examples: [
      .init(line: "ferry outbox", meaning: "Every unsent change."),
      .init(line: "ferry outbox --class Game", meaning: "Those of one class."),
      .init(
        line: "ferry outbox show --class Game --id 12",
        meaning: "One change, with the values on both sides."),
      .init(
        line: "ferry outbox retry --all", meaning: "Let the next sync send what is parked again."),
      .init(
        line: "ferry outbox discard --class Game --id 12",
        meaning: "Take the change of the row 12 back."),
      .init(
        line: "ferry outbox counted --class Game --id 12",
        meaning: "Do not add once more: the server has the addition."),
    ],
    operand: .init(
      valueName: "ACTION",
      sentence: "list, show, retry, discard, counted or not-counted; list where none is named.",
      choices: OutboxCommand.Action.allCases.map(\.rawValue), isRequired: false),
    flags: FlagTable.decidedChanges)

  private static let conflicts = Command(
    name: .conflicts,
    summary: "List what syncs overwrote or removed; restore it, or mark it",
    details: [
      conflicting,
      "Each conflict record has a number, its time by this device's clock, and the record. It says which "
        + "side won, the lost values, and the values that were kept instead.",
      "restore writes lost values as a local edit, as \"ferry restore\" does. With --run, it restores all that one sync "
        + "overwrote or removed: whole records first, single fields after them. The exit code is 3 if some could not "
        + "be restored; ferry names each, and why.",
      "seen marks conflict records, so that \"ferry status\" counts them no more. A restored one counts as seen. At the "
        + "end of a sync, those that were seen leave after 90 days, and all others after 365; the newest 1000 stay.",
    ],
    examples: [
      .init(line: "ferry conflicts", meaning: "The newest 20, newest last."),
      .init(
        line: "ferry conflicts --class Game --before 41 --limit 100",
        meaning: "Earlier ones of one class."),
      .init(
        line: "ferry conflicts show 41",
        meaning: "One, with the lost values, those that were kept, and those of the row now."),
      .init(line: "ferry conflicts restore 41", meaning: "Bring the values of one back."),
      .init(line: "ferry conflicts restore --run 38", meaning: "Bring back all of one sync."),
      .init(line: "ferry conflicts seen --all", meaning: "Mark all as seen."),
    ],
    operand: .init(
      valueName: "ACTION", sentence: "list, show, restore or seen; list where none is named.",
      choices: ConflictsCommand.Action.allCases.map(\.rawValue), isRequired: false),
    secondOperand: .init(
      valueName: "NUMBER",
      sentence: "With show, restore and seen: the number of a conflict record.", isRequired: false),
    flags: [
      FlagTable.limit, FlagTable.before, FlagTable.classFilter, FlagTable.run,
      FlagTable.seenConflicts,
    ])

  private static let restore = Command(
    name: .restore, summary: "Bring back the lost values of a conflict record",
    details: [
      "ferry writes the values into their row as a local edit, and the next sync sends it. If a sync "
        + "removed the row, the values go into a new row, which becomes a new record on the server."
    ],
    examples: [
      .init(line: "ferry conflicts", meaning: "Find the number."),
      .init(line: "ferry restore 41", meaning: "Restore the conflict record 41."),
    ],
    operand: .init(
      valueName: "NUMBER",
      sentence: "The number of a conflict record, as ferry conflicts lists it.",
      isRequired: true))

  private static let quarantine = Command(
    name: .quarantine, summary: "List the records that could not be imported; retry them",
    details: [
      "A record is in quarantine because ferry.json does not fit it, or because a rule of another program keeps it out of "
        + "its table. A sync tries it again once it has a newer version or ferry.json has changed, and when it compares "
        + "the record's part of the class. Each sync tries what a rule keeps out.",
      "retry is for a cause that was mended otherwise, as by a field that was dropped on the server: the next sync fetches "
        + "the records again.",
    ],
    examples: [
      .init(line: "ferry quarantine", meaning: "Every record, and why it is not here."),
      .init(
        line: "ferry quarantine show --class Game --id aB3",
        meaning: "One, with the JSON that the server sent."),
      .init(
        line: "ferry quarantine retry --all --class Game",
        meaning: "Let the next sync fetch those of a class again."),
    ],
    operand: .init(
      valueName: "ACTION", sentence: "list, show or retry; list where none is named.",
      choices: QuarantineCommand.Action.allCases.map(\.rawValue), isRequired: false),
    flags: FlagTable.quarantinedRecords)

  /// Which side wins, for the pages that need it.
  private static let conflicting =
    "Where both sides changed a field to different values, the server's value wins. A local edit of a "
    + "record that was deleted on the server loses, too. ferry keeps each lost value as a conflict "
    + "record: \"ferry conflicts\" lists them, and \"ferry restore\" brings one back."

  private static let staging = Command(
    name: .staging, summary: "List the downloaded pages that are not imported yet",
    examples: [.init(line: "ferry staging", meaning: "Each listing and its pages.")])

  private static let history = Command(
    name: .history, summary: "Show the newest changes of the rows and their authors",
    examples: [
      .init(line: "ferry history", meaning: "The newest 20 changes, newest last."),
      .init(
        line: "ferry history --after 1041 --limit 100",
        meaning: "The changes after a place in history."),
      .init(
        line: "ferry history --class Game --id 12 --limit 5",
        meaning: "The newest 5 changes of one record."),
    ],
    flags: [FlagTable.limit, FlagTable.after] + FlagTable.recordFilter)

  private static let undo = Command(
    name: .undo, summary: "Take back the last transaction of the app, or a named one",
    details: [
      "Each call goes one transaction further back, over syncs, as far as history is kept. A restore or a discard by "
        + "ferry counts as a transaction, too. The work of a sync cannot be undone.",
      "ferry writes the former values as local edits. Only values that are still as the transaction left them are taken "
        + "back. The exit code is 3 if others stay; ferry names each, and why.",
      "Edits by SQL have no transaction of their own: --token takes back all of them between two transactions of Ferry's "
        + "programs, also those that a sync has sent. Where they are the newest edits, ferry undo without --token changes "
        + "nothing, and names the token.",
      "The undo has a token of its own. With it, --token does the transaction again.",
    ],
    examples: [
      .init(line: "ferry undo", meaning: "Take back the last transaction that is not undone."),
      .init(line: "ferry history", meaning: "Find the token of a change."),
      .init(
        line: "ferry undo --token 1041",
        meaning: "Take back the whole transaction that made the change 1041."),
    ],
    flags: [FlagTable.token])

  private static let generate = Command(
    name: .generate, summary: "Write structs and the schema of ferry.json as Swift code",
    details: [
      "For each class of ferry.json, ferry writes a struct that conforms to SyncEntity, the names of its "
        + "fields, and the declaration of the class. Schema.app has all classes. Equal files give equal "
        + "code, so keep it beside your sources and make it again after each change of ferry.json.",
      "ferry init takes the classes from a server. This command asks no server and opens no store.",
      "A name that Swift cannot use gets another one: _User becomes User, Value becomes ValueRow, and a "
        + "field self becomes selfField. On the server and in the store they keep their names.",
    ],
    examples: [
      .init(
        line: "ferry generate swift --out Sources/App/Rows.swift",
        meaning: "Write the file, or bring it up to date."),
      .init(line: "ferry generate swift", meaning: "Print the code."),
    ],
    operand: .init(
      valueName: "LANGUAGE", sentence: "The language.", choices: ["swift"], isRequired: true),
    flags: [FlagTable.out])

  private static let doctor = Command(
    name: .doctor, summary: "Check the server and this machine before a sync",
    details: [
      "Each line is \"ok\", a \"notice\" (a sync works, but look at it), a \"problem\" or \"unknown\" (mostly "
        + "because only the master key may ask). doctor writes nothing to the server without --write, and "
        + "names what it writes first.",
      "The exit code is 0, or that of the first problem: 69 when ferry cannot reach the server, 74 when the "
        + "store is damaged, 75 when the server or the store is busy, 76 when there "
        + "is no Parse Server, 77 when a key, a login or a permission is missing, 78 when an address, a "
        + "field's type or a file's permissions are wrong.",
    ],
    examples: [
      .init(line: "ferry doctor", meaning: "What works, what does not, and what to do about it."),
      .init(
        line: "ferry doctor --write",
        meaning: "Also try whether the server takes ids chosen by clients."),
      .init(
        line: "ferry doctor --write --make-index",
        meaning: "Also make the indexes that speed up downloads."),
    ],
    flags: FlagTable.writing + [FlagTable.singleTimeout, FlagTable.allowCleartext])

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
