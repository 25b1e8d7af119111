// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Every flag there is; commands pick theirs.
enum FlagTable {
  static let initialize = [
    Flag(
      name: .server, arity: .one, valueName: "URL",
      sentence: "The address of the Parse Server, with its mount path."),
    Flag(
      name: .applicationID, arity: .one, valueName: "ID", sentence: "The application's id."),
    Flag(
      name: .restKeyFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the REST key, if the server asks for one."),
    Flag(
      name: .masterKeyFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the master key, which passes every permission."),
    Flag(
      name: .sessionTokenFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the session token of the user to sync as."),
    Flag(
      name: .className, arity: .several, valueName: "NAME",
      sentence: "The classes to sync."),
    Flag(name: .force, sentence: "Overwrite an existing ferry.json."),
    singleTimeout, allowCleartext,
  ]

  static let stages = [
    Flag(
      name: .only, arity: .one, valueName: "STAGE", completion: .choices(stageNames),
      sentence:
        "Run this stage alone, on what earlier runs left. delete-missing needs a download and an "
        + "import that it has not looked through yet."),
    Flag(
      name: .through, arity: .one, valueName: "STAGE", completion: .choices(stageNames),
      sentence: "Run the stages up to this one."),
  ]

  static let syncedClasses = Flag(
    name: .className, arity: .several, valueName: "NAME",
    sentence:
      "Ask the server about these classes only. Unsent changes of all classes are sent. Default: all classes."
  )

  static let interval = Flag(
    name: .interval, arity: .one, valueName: "SECONDS",
    sentence:
      "The time between two syncs that no edit asks for, from 1 to 86400 seconds. Each differs at random by up to a "
      + "tenth. Default: 300.")

  static let prefetch = Flag(
    name: .prefetch, arity: .several, valueName: "CLASS.FIELD",
    sentence:
      "Fetch the contents of this file field as its values come, so that they are here without a network. Default: "
      + "contents come by ferry files get.")

  static let live = [
    Flag(
      name: .live,
      sentence:
        "Also sync as soon as the server's live queries announce a change. Default: syncs come at intervals."
    ),
    Flag(
      name: .liveAddress, arity: .one, valueName: "URL",
      sentence:
        "The address of the live queries, with ws or wss, for --live. Default: that of the server."),
  ]

  /// The choices for one run, of a plan or a sync.
  static let runChoices =
    stages + [syncedClasses, compare, adopt] + removals + [timeout, maxUncounted, maxUpload]

  static let compare = Flag(
    name: .compare, arity: .one, valueName: "WHAT",
    completion: .choices(SyncComparison.allCases.map(\.rawValue)),
    sentence: "Compare more records than the changed ones: a daily share of "
      + "each class, or everything. Default: rolling.")

  static let adopt = Flag(
    name: .adopt, arity: .several, valueName: "WHAT",
    completion: .choices(StoreAdoption.allCases.map(\.rawValue)),
    sentence: "Take over the store, once: give data that was gathered without a login to the user "
      + "who is logged in now, or follow a server that has moved to another address.")

  static let removals = [
    Flag(
      name: .maxDelete, arity: .one, valueName: "N|P%",
      sentence:
        "How many records of a class, or which share, a day's syncs may remove locally because they are gone on "
        + "the server. The same number may be deleted on the server because the app deleted their rows. Of more, a "
        + "sync removes or deletes none: it does everything else, prints the name of the set, and ends with exit "
        + "code 25. --confirm lets the set pass. All records of a class that has at least five are held back, "
        + "whatever the number; 100% lets them pass, too. Default: 25%, or 20 records if that is more."
    ),
    Flag(
      name: .confirm, arity: .several, valueName: "NAME",
      sentence:
        "Let a set of removals or deletes pass that is held back. plan, sync and status print its name."
    ),
  ]

  static let timeout = Flag(
    name: .timeout, arity: .one, valueName: "SECONDS",
    sentence:
      "\(timeoutSentence) ferry then tries a read again, up to five times. The last try begins "
      + "within two minutes, so a silent server takes at most 120 seconds and SECONDS.")

  /// For the commands that try nothing twice.
  static let singleTimeout = Flag(
    name: .timeout, arity: .one, valueName: "SECONDS", sentence: timeoutSentence)

  /// For the command that asks for one record before it plans.
  static let shortTimeout = Flag(
    name: .timeout, arity: .one, valueName: "SECONDS",
    sentence:
      "How long, from 1 to 86400 seconds, the server may be silent. Default: 10 for the question about the record, "
      + "which ferry asks once, and 60 for the requests of the plan.")

  static let offline = Flag(
    name: .offline, sentence: "Ask no server: show only what the store knows.")

  private static let timeoutSentence =
    "How long, from 1 to 86400 seconds, the server may be silent until a request counts as failed. "
    + "Default: 60."

  static let maxUncounted = Flag(
    name: .maxUncounted, arity: .one, valueName: "N",
    sentence:
      "How many records of a class to download if the server does not count them. Four times the "
      + "number of local rows is allowed beside it. Default: 1000000.")

  static let maxUpload = Flag(
    name: .maxUpload, arity: .one, valueName: "SIZE",
    sentence:
      "The largest new file to send, such as 50MB; the server's maxUploadSize. Default: 20 MiB.")

  static let exitCode = Flag(
    name: .exitCode,
    sentence:
      "End with exit code 2 if a sync has something to do. End with 3 if it has not, but changes or "
      + "records are left that no sync settles alone: parked, waiting, held back or quarantined. Without "
      + "this flag both end with 0. A class that ferry could not ask about ends with 3, with or without "
      + "it.")

  static let allowCleartext = Flag(
    name: .allowCleartext,
    sentence: "Allow http to other machines; the network can then read keys and data.")

  static let writing = [
    Flag(
      name: .write,
      sentence:
        "Try to create one record of a class FerryProbe, and delete it again, to see what the server takes."
    ),
    Flag(
      name: .makeIndex,
      sentence: "With --write: make the missing indexes; needs the master key and PostgreSQL."),
  ]

  static let verbose = Flag(
    name: .verbose, sentence: "List up to 20,000 records, not only the first of each kind.")

  static let files = Flag(
    name: .files,
    sentence:
      "Compare the files of file fields, too: one request for each asks whether the server has it, and how large it is."
  )

  static let classFilter = Flag(
    name: .className, arity: .several, valueName: "NAME", sentence: "Show these classes only.")

  static let recordFilter = [
    Flag(
      name: .className, arity: .several, valueName: "NAME",
      sentence: "Show these classes only; with --id, the class of the record."),
    Flag(
      name: .id, arity: .one, valueName: "ID",
      sentence:
        "Show one record only: the number of its row, or its object id. A record that is gone keeps the number. ferry "
        + "knows the object id of one that this device edited."),
  ]

  static let record = [
    Flag(
      name: .className, arity: .several, valueName: "NAME", sentence: "The class of the record."),
    Flag(
      name: .id, arity: .one, valueName: "ID",
      sentence: "The record: the number of its row, or its object id."),
  ]

  static let decidedChanges = [
    Flag(
      name: .className, arity: .several, valueName: "NAME",
      sentence: "The classes; with --id, the class of the record."),
    Flag(
      name: .id, arity: .one, valueName: "ID",
      sentence: "One record: the number of its row, or its object id."),
    Flag(
      name: .all,
      sentence: "With all but list and show: all changes, or all of the classes that --class names."
    ),
  ]

  static let quarantinedRecords = [
    Flag(
      name: .className, arity: .several, valueName: "NAME",
      sentence: "The classes; with --id, the class of the record."),
    Flag(name: .id, arity: .one, valueName: "ID", sentence: "One record, by its object id."),
    Flag(
      name: .all,
      sentence: "With retry: all records, or all of the classes that --class names."),
  ]

  static let seenConflicts = Flag(
    name: .all,
    sentence: "With seen: all conflict records, or all of the classes that --class names.")

  static let run = Flag(
    name: .run, arity: .one, valueName: "NUMBER",
    sentence:
      "With restore: all conflict records of one run. Each conflict record names its run, and so does a sync that "
      + "wrote some.")

  static let limit = Flag(
    name: .limit, arity: .one, valueName: "N", sentence: "Show at most N, from 1 on. Default: 20.")

  static let after = Flag(
    name: .after, arity: .one, valueName: "TOKEN",
    sentence: "Show the oldest changes after this place in history, instead of the newest.")

  static let token = Flag(
    name: .token, arity: .one, valueName: "TOKEN",
    sentence:
      "The transaction that made this change, instead of the last one. \"ferry history\" lists the tokens."
  )

  static let before = Flag(
    name: .before, arity: .one, valueName: "NUMBER",
    sentence:
      "Show the newest of the conflict records before this one, instead of the newest of all.")

  static let out = Flag(
    name: .out, arity: .one, valueName: "FILE", completion: .file,
    sentence:
      "Write the code to this file, and nothing if it holds that code. ferry overwrites only files that "
      + "this command made. Default: the standard output.")

  static let field = Flag(
    name: .field, arity: .one, valueName: "NAME",
    sentence: "The field of the file; not needed where the class has one field for files.")

  static let copy = Flag(
    name: .out, arity: .one, valueName: "FILE", completion: .file,
    sentence: "Copy the content to this file, which must not be there yet.")

  private static let stageNames = StageName.allCases.map(\.rawValue)
}

extension CommandTable {
  /// The flags of every command.
  static let sharedFlags = [
    Flag(
      name: .directory, arity: .one, valueName: "DIR", completion: .folder,
      sentence: "The folder of ferry.json, store and staged pages. Default: FERRY_DIRECTORY, else "
        + "the current folder."),
    Flag(
      name: .json,
      sentence: "Print JSON, an object a line. \"ferry help\" says where its members are listed."),
    Flag(
      name: .quiet, letter: "q",
      sentence: "Print results, warnings and errors only: no progress, no explanations."),
    Flag(name: .noColor, sentence: "Print without colours."),
    Flag(name: .help, letter: "h", sentence: "Explain the command."),
  ]
}
