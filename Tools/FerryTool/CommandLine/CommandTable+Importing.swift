// Ferry: offline-first sync for Parse Server. MIT licence.

extension CommandTable {
  static let importing = Command(
    name: .importing, summary: "Bring the data of another library's files into the store",
    details: [
      "Only classes and fields of ferry.json are imported. A record becomes a row as if a sync had brought it, and the "
        + "next sync asks the server for newer versions. A new object becomes a new row, and unsent edits and deletes "
        + "become edits here, which \"ferry outbox\" lists and the next sync sends.",
      "parse-ios-lds is the file ParseOfflineStore, in which Parse's SDK for Apple platforms keeps its local datastore. "
        + "End the old app first, and do not start it again after the import: it would send its changes, too.",
      "json is an export of Parse: a file named by its class, as Game.json, with {\"results\":[...]} or a list, or a file "
        + "with a list for each class.",
      "ferry only reads the files, and asks no server. It imports nothing twice, so an import that was stopped can be "
        + "begun again. A row with unsent edits of its own is left alone.",
      "The exit code is 3 if objects or fields were left out; ferry names each kind and the reason. It is 65 if a file is "
        + "damaged or of another kind; then nothing was imported.",
    ],
    examples: [
      .init(
        line: "ferry import --from parse-ios-lds ParseOfflineStore --dry-run",
        meaning: "Show which objects would come, and which would not."),
      .init(
        line: "ferry import --from parse-ios-lds ParseOfflineStore",
        meaning: "Import it; then \"ferry plan\" shows what the next sync does."),
      .init(
        line: "ferry import --from json League.json Game.json",
        meaning: "The records of two classes."),
    ],
    operand: .init(
      valueName: "FILE", sentence: "The file; with --from json also several.", isRequired: true,
      isRepeated: true),
    flags: [
      Flag(
        name: .from, arity: .one, valueName: "FORM",
        completion: .choices(ImportCommand.Form.allCases.map(\.rawValue)),
        sentence: "The form of the file: parse-ios-lds or json."),
      Flag(name: .dryRun, sentence: "Show what would be imported, and change nothing."),
    ])
}
