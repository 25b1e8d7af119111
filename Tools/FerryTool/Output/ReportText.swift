// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The text of a report.
struct ReportText {
  var report: SyncReport
  /// How long it took, in seconds.
  var seconds: Double
  /// The listings that a run of the download alone has left for the import.
  var staged: [StagedDownload] = []
  /// The changes that new files keep from going, which no warning has named.
  var held: [PendingChange] = []

  private static let mostHeld = 10

  private static let columns: [(heading: String, count: @Sendable (SyncReport.Counts) -> Int)] = [
    ("imported", { $0.imported }), ("updated", { $0.updated }), ("unchanged", { $0.unchanged }),
    ("removed", { $0.removed }), ("evicted", { $0.evicted }),
    ("files sent", { $0.uploaded }), ("created", { $0.created }),
    ("put", { $0.put }), ("deleted", { $0.deleted }), ("merged", { $0.merged }),
  ]

  /// The counts that the lines about what is left say, whichever run left it.
  private static let left: [@Sendable (SyncReport.Counts) -> Int] = [
    { $0.parked }, { $0.waiting }, { $0.held }, { $0.quarantined },
  ]

  func lines(width: Int?) -> [String] {
    table(width: width) + [ending] + report.conflictLines() + report.guarded.map(Self.line)
      + leftOver
  }

  /// One row for each class; a column in which nothing happened is left out.
  private func table(width: Int?) -> [String] {
    let used = Self.columns.filter { column in
      report.classes.values.contains { column.count($0) > 0 }
    }
    guard !used.isEmpty else { return [] }
    let rows = report.classes.sorted { $0.key < $1.key }.map { name, counts in
      [name] + used.map { $0.count(counts).grouped }
    }
    return TextTable(headings: ["class"] + used.map(\.heading), rows: rows).lines(width: width)
  }

  private var ending: String {
    let isUnchanged = report.classes.values.allSatisfy { counts in
      Self.columns.allSatisfy { $0.heading == "unchanged" || $0.count(counts) == 0 }
        && Self.left.allSatisfy { $0(counts) == 0 }
    }
    let stages = report.stagesAlone
    let result =
      report.outcome == .partial
      ? "Done in part" : isUnchanged && stages == nil ? "Nothing had changed" : "Done"
    let requests = report.requests == 1 ? "1 request" : "\(report.requests.grouped) requests"
    return
      "\(result): \(Self.duration(seconds)), \(requests), \(Self.size(report.bytesDown)) down, "
      + "\(Self.size(report.bytesUp)) up." + (stages.map { " Only \($0) ran." } ?? "")
      + stagedRecords
  }

  /// The result of a run that has downloaded and not imported.
  private var stagedRecords: String {
    guard !staged.isEmpty else { return "" }
    let records = staged.flatMap(\.pages).reduce(0) { $0 + $1.records }
    return
      " \(records.counted("record is", "records are")) staged: \"ferry staging\" lists the files, and "
      + "\"ferry sync --only import\" imports them."
  }

  private var leftOver: [String] {
    let remaining = Self.remaining(in: report) + heldLines
    guard report.outcome == .partial else { return remaining }
    let isKept =
      !report.remaining.isEmpty || !report.guarded.isEmpty
      || report.notices.contains { $0.code.leavesClassOut }
    return remaining + [
      isKept
        ? "\"ferry status\" lists what is left, and why."
        : "The warnings say what did not go as asked. Nothing else is left."
    ]
  }

  /// Why the first changes with new files have not gone, with the server's words.
  private var heldLines: [String] {
    let more = held.count - Self.mostHeld
    return held.prefix(Self.mostHeld).map { "  \(OutboxLine(change: $0).text)" }
      + (more > 0 ? ["  ... and \(more.grouped) more; \"ferry outbox\" lists all"] : [])
  }

  /// A line for each class of which something is left.
  static func remaining(in report: SyncReport) -> [String] {
    report.remaining.sorted { $0.key < $1.key }.map { name, left in
      let counts = [
        (left.parked, "parked"), (left.waiting, "waiting"), (left.held, "held back"),
        (left.quarantined, "quarantined"),
      ].filter { $0.0 > 0 }.map { "\($0.grouped) \($1)" }
      return "Left in \(name): \(counts.joined(separator: ", "))."
    }
  }

  static func line(_ removal: GuardedRemoval) -> String {
    "Held back: \(removal.text)"
  }

  static func silence(_ seconds: Double) -> String {
    "The server has not answered for \(duration(seconds))."
  }

  static func duration(_ seconds: Double) -> String {
    if seconds >= 60 { return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s" }
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    var value = Double(bytes) / 1000
    for unit in ["kB", "MB"] {
      if value < 999.5 { return "\(Int(value.rounded())) \(unit)" }
      value /= 1000
    }
    return "\(Int(value.rounded()).grouped) GB"
  }
}

extension SyncReport {
  /// The stages of a run that did not run all, in words; nil for a run of all stages.
  var stagesAlone: String? {
    let names = stages.map(\.stage.rawValue)
    guard names.count < StageName.allCases.count, let last = names.last else { return nil }
    guard names.count > 1 else { return "the stage \(last)" }
    return "the stages \(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}
