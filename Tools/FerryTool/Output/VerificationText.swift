// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The text of a verification.
struct VerificationText {
  var verification: Verification
  /// How many records are here, by class.
  var rows: [(className: String, count: Int)]
  /// The classes of which a sync lists nothing.
  var onDemand: Set<String> = []

  var lines: [String] {
    verification.classes.sorted { $0.key < $1.key }.flatMap { [$0.key] + records($0.value) }
      + verification.guarded.map(ReportText.line) + ending
  }

  private func records(_ groups: [Verification.Kind: Verification.Group]) -> [String] {
    Verification.Kind.allCases.flatMap { kind -> [String] in
      guard let group = groups[kind] else { return [] }
      let more = group.count - group.listed.count
      return ["  \(group.count.grouped) \(kind.words)"] + group.listed.map { "    \($0.line)" }
        + (more > 0 ? ["    ... and \(more.grouped) more; --verbose lists all"] : [])
    }
  }

  private var ending: [String] {
    let counts = verification.counts
    let sum = counts.map { "\($1.grouped) \($0.words)" }.joined(separator: ", ")
    let records = rows.filter { !onDemand.contains($0.className) }.map {
      "\($0.count.grouped) \($0.className)"
    }.joined(separator: ", ")
    var lines: [String] = []
    if verification.isCut { lines.append("There are more; only the first were listed.") }
    if !counts.isEmpty { lines.append("The two sides differ: \(sum).") }
    lines += remedies
    if !verification.isWhole {
      lines.append("Not everything could be compared; the warnings say why.")
    } else if counts.isEmpty {
      let sides = verification.isEqual ? "Both sides are" : "All that ferry.json names is"
      lines.append("\(sides) equal: \(records).")
    }
    lines += onDemand.sorted().map {
      "\($0) is fetched on demand: only its unsent changes and edited rows were compared."
    }
    if let files = verification.files {
      lines.append(
        "\(files.files.counted("file was", "files were")) compared, \(files.here.grouped) of them with their content here."
      )
    }
    return lines + verification.leftOut.lines
  }
}

extension VerificationText {
  /// The differences that a sync mends, and those that it leaves.
  private var remedies: [String] {
    let mended = verification.mended
    let left = verification.counts.reduce(0) { $0 + $1.count } - mended
    var lines: [String] = []
    if mended > 0 {
      let which = left == 0 ? "them" : mended == 1 ? "1 of them" : "\(mended.grouped) of them"
      lines.append("\"\(verification.remedy)\" brings \(which) in step.")
    }
    if left > 0 {
      let which = left == 1 ? "1 difference" : "\(left.grouped) differences"
      let neverSent = verification.counts.first { $0.kind == .neverSent }?.count ?? 0
      let place = left == neverSent ? "the lines above say" : "\"ferry status\" says"
      lines.append("A sync leaves \(which); \(place) what to do about what is left.")
    }
    return lines
  }
}

extension JSONMessage {
  /// The last line of a verification.
  init(_ verification: Verification) {
    let classes = verification.classes.mapValues { groups in
      Verification.Kind.allCases.compactMap { kind in groups[kind].map { (kind, $0.count) } }
    }
    self.init(
      "verification",
      [
        "equal": .boolean(verification.isEqual), "whole": .boolean(verification.isWhole),
        "cut": .boolean(verification.isCut),
        "differences": Value(verification.counts),
        "classes": .object(classes.mapValues { Value($0) }),
        "requests": .count(verification.requests),
      ])
    self = with(verification.leftOut)
      .with("files", verification.files.map { .count($0.files) })
      .with("file_requests", verification.files.map { .count($0.requests) })
  }
}

extension Value {
  fileprivate init(_ counts: [(kind: Verification.Kind, count: Int)]) {
    self = .object(
      Dictionary(uniqueKeysWithValues: counts.map { ($0.kind.rawValue, .count($0.count)) }))
  }
}
