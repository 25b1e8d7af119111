// Ferry: offline-first sync for Parse Server. MIT licence.

extension CommandTable {
  static let files = Command(
    name: .files,
    summary: "List the files of records; fetch or attach one, remove some",
    details: [
      "A file field holds a name and an address. get brings the content to the folder files/, prints its path, and does so "
        + "at once if it is there. A download that was stopped goes on where it ended, if the server can give a part.",
      "put copies a file to the folder files/ and writes it into the field of a row, as an edit. The next sync sends it. The "
        + "list shows it as new until then, and prune leaves it alone.",
      "prune removes the files that were asked for longest ago, until the rest is within a size. The server still has "
        + "them, and get brings them again. The parts of stopped downloads leave, too. A size is a number of bytes, or a number "
        + "with kB, MB or GB, such as 500MB; a kB has 1000 bytes. With 0, all of them leave.",
      "A sync sends files of 20 MiB at most, as a Parse Server takes them. \"ferry sync --max-upload SIZE\" sends larger ones.",
    ],
    examples: [
      .init(line: "ferry files", meaning: "Every file that is here, the one used last first."),
      .init(
        line: "ferry files get --class Photo --id 12",
        meaning: "The file of the row 12, if its class has one field for files."),
      .init(
        line: "ferry files get --class Photo --id 12 --field image --out image.png",
        meaning: "Write a copy to image.png."),
      .init(
        line: "ferry files put beach.jpg --class Photo --id 12",
        meaning: "Give the row 12 a new file."),
      .init(
        line: "ferry files prune 500MB", meaning: "Keep the 500 MB that were used last."),
    ],
    operand: .init(
      valueName: "ACTION", sentence: "list, get, put or prune; list where none is named.",
      choices: FilesCommand.Action.allCases.map(\.rawValue), isRequired: false),
    secondOperand: .init(
      valueName: "SIZE-OR-PATH",
      sentence: "With prune: the most that may stay, such as 0, 500MB or 2GB. With put: the file.",
      isRequired: false),
    flags: FlagTable.record
      + [FlagTable.field, FlagTable.copy, FlagTable.timeout, FlagTable.allowCleartext])
}
