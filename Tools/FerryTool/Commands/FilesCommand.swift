// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry files`: the files that are here; on demand, fetches one, gives one to a row, or removes some.
struct FilesCommand {
  /// The work on the files.
  enum Action: String, CaseIterable, Sendable {
    case list, get, put, prune
  }

  var session: Session

  func run() async throws(Failure) -> ExitCode {
    let command = session.command
    if let word = command.secondOperand, [.list, .get].contains(command.filesAction) {
      throw Failure(
        usage:
          "ferry files \(command.filesAction.rawValue) takes no size and no path. Nothing was done with \(word.quoted)."
      )
    }
    guard
      [.get, .put].contains(command.filesAction) || !command.has(.id) && !command.has(.className)
    else {
      throw Failure(
        usage:
          "Only \"ferry files get\" and \"ferry files put\" take --class and --id. Nothing was changed."
      )
    }
    switch command.filesAction {
    case .list: return try list()
    case .get: return try await FileGetting(session: session).run()
    case .put: return try FilePutting(session: session).run()
    case .prune: return try prune()
    }
  }

  private var cache: FileCache { FileCache(at: session.workspace.files) }

  private func list() throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let files = try inCache { () throws(FileError) in try cache.files }
    for file in files {
      session.console.message(FileLine(file: file).json("file"))
      session.console.result(FileLine(file: file).text)
    }
    var newFiles = Set<UnsentFile>()
    try session.inspect(configuration) { store throws(StoreError) in
      try store.forEachPendingChange { change throws(StoreError) in
        for line in change.newFiles {
          session.console.message(line.json)
          session.console.result(line.text)
          newFiles.insert(line.file)
        }
      }
      for lost in try store.lostUploads() {
        session.console.message(LostUploadLine(lost: lost).json)
        session.console.result(LostUploadLine(lost: lost).text)
      }
    }
    let none = newFiles.isEmpty ? "No file is kept." : "No file of the server is here."
    show(files, none: none, newFiles: newFiles.count) {
      "\($0) here, \($1)."
    }
    if !newFiles.isEmpty {
      let bytes = newFiles.reduce(0) { $0 + $1.bytes }
      session.console.result(
        "\(newFiles.count.counted("new file", "new files")), \(ReportText.size(bytes)), not on the server yet."
      )
    }
    return .success
  }

  private func prune() throws(Failure) -> ExitCode {
    _ = try session.configuration()
    guard let limit = session.command.secondOperand.flatMap(Self.bytes) else {
      throw Failure(
        usage:
          "ferry files prune needs the SIZE that may stay, such as 0, 500MB or 2GB, in bytes, kB, MB or GB. "
          + "Nothing was removed."
      )
    }
    let files = try inCache { () throws(FileError) in try cache.prune(to: limit) }
    for file in files { session.console.message(FileLine(file: file).json("pruned")) }
    show(files, none: "No file had to leave.") {
      "Removed \($0), \($1). \"ferry files get\" fetches again."
    }
    let staying = try inCache { () throws(FileError) in try cache.files }
    let bytes = Self.bytes(of: staying)
    if bytes > limit {
      session.console.result(
        "\(staying.count.counted("file stays", "files stay")), \(ReportText.size(bytes)), because a sync has yet to send the "
          + "content, or has sent it within the last hour. It can leave after a later sync.")
    }
    return .success
  }

  /// Shows how many files there are, and their bytes; equal contents count once.
  private func show(
    _ files: [KeptFile], none: String, newFiles: Int? = nil,
    _ words: (String, String) -> String
  ) {
    let bytes = Self.bytes(of: files)
    session.console.message(
      JSONMessage("summary", ["files": .count(files.count), "bytes": .count(bytes)])
        .with("new_files", newFiles.map { .count($0) }))
    session.console.result(
      files.isEmpty ? none : words(files.count.counted("file", "files"), ReportText.size(bytes)))
  }

  private static func bytes(of files: [KeptFile]) -> Int {
    Dictionary(files.map { ($0.sha256, $0.bytes) }) { first, _ in first }.values.reduce(0, +)
  }

  private func inCache<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw Failure(error) }
  }

  /// A size as people write it: `0`, `500MB`, `2GB`, each unit a thousand times the one before.
  static func bytes(_ text: String) -> Int? {
    let digits = text.prefix(while: \.isWholeNumber)
    let units = ["": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000]
    guard let number = Int(digits), let unit = units[text.dropFirst(digits.count).lowercased()]
    else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows ? nil : bytes
  }
}

extension PendingChange {
  /// The new files that go before the record, in the order of their fields.
  var newFiles: [NewFileLine] {
    files.sorted { $0.key < $1.key }.map { field, file in
      NewFileLine(
        className: className, localID: localID, field: field, file: file, state: state)
    }
  }
}

extension ParsedCommand {
  /// The action of `ferry files`; to list, where none is named.
  var filesAction: FilesCommand.Action { operand.flatMap(FilesCommand.Action.init) ?? .list }
}
