// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

/// Every flag there is; commands pick theirs.
enum FlagTable {
  static let initialize = [
    Flag(
      name: .server, arity: .one, valueName: "URL",
      sentence: "Where the Parse Server is mounted, with its path."),
    Flag(
      name: .applicationID, arity: .one, valueName: "ID", sentence: "The application's id."),
    Flag(
      name: .restKeyFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the REST key, where the server asks for one."),
    Flag(
      name: .masterKeyFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the master key; it passes every permission."),
    Flag(
      name: .sessionTokenFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the session token of the user to sync as."),
    Flag(
      name: .className, arity: .several, valueName: "NAME",
      sentence: "The classes to keep in step."),
    Flag(name: .force, sentence: "Overwrite a ferry.json that is there."),
    allowCleartext,
  ]

  static let stages = [
    Flag(
      name: .only, arity: .one, valueName: "STAGE", completion: .choices(stageNames),
      sentence: "Run this stage alone, on what earlier runs left."),
    Flag(
      name: .through, arity: .one, valueName: "STAGE", completion: .choices(stageNames),
      sentence: "Run the stages up to this one."),
  ]

  static let compare = Flag(
    name: .compare, arity: .one, valueName: "WHAT",
    completion: .choices(SyncComparison.allCases.map(\.rawValue)),
    sentence: "What to compare record by record, beside what has changed: a share of each class a "
      + "day, or all. Default: rolling.")

  static let adopt = Flag(
    name: .adopt, arity: .several, valueName: "WHAT",
    completion: .choices(StoreAdoption.allCases.map(\.rawValue)),
    sentence: "Take over the store, once: data gathered without a login by the user who is "
      + "logged in now, or the data of a server that is found under another address now.")

  static let removals = [
    Flag(
      name: .maxDelete, arity: .one, valueName: "N|P%",
      sentence: "How many records of a class, or which share, may be removed within a day; beyond, "
        + "and where a class would be emptied, they wait. 100% lets everything pass. Default: 25% "
        + "and at least 20."),
    Flag(
      name: .confirm, arity: .several, valueName: "NAME",
      sentence: "Let a set of removals pass that an earlier run held back and named."),
  ]

  static let exitCode = Flag(
    name: .exitCode, sentence: "End with exit code 2 when there is anything to do.")

  static let allowCleartext = Flag(
    name: .allowCleartext,
    sentence: "Allow http to other machines; keys and data are then open to the network.")

  static let writing = [
    Flag(
      name: .write,
      sentence: "Try what only a write can tell: one record of a class FerryProbe, deleted again."),
    Flag(
      name: .makeIndex,
      sentence: "With --write: make the missing indexes; takes the master key, and PostgreSQL."),
  ]

  static let verbose = Flag(name: .verbose, sentence: "List every record, however many.")

  static let classFilter = Flag(
    name: .className, arity: .several, valueName: "NAME", sentence: "Only these classes.")

  static let limit = Flag(
    name: .limit, arity: .one, valueName: "N", sentence: "At most so many. Default: 20.")

  static let after = Flag(
    name: .after, arity: .one, valueName: "TOKEN",
    sentence: "The oldest changes after this place in history, in place of the newest.")

  private static let stageNames = StageName.allCases.map(\.rawValue)
}

extension CommandTable {
  /// What every command takes.
  static let sharedFlags = [
    Flag(
      name: .directory, arity: .one, valueName: "DIR", completion: .folder,
      sentence: "The folder of ferry.json, store and staged pages. Default: FERRY_DIRECTORY, else "
        + "the current folder."),
    Flag(name: .json, sentence: "Print JSON: one document, or a line for each message."),
    Flag(
      name: .quiet, letter: "q",
      sentence: "Print results, warnings and errors only: no progress, no explanations."),
    Flag(name: .noColor, sentence: "Print without colours."),
    Flag(name: .help, letter: "h", sentence: "Explain the command."),
  ]
}
