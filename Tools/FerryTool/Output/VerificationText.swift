// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The text of a verification.
struct VerificationText {
  var verification: Verification
  /// How many records are here, by class.
  var rows: [(className: String, count: Int)]
  /// How many records of each kind to list; nil for all.
  var limit: Int? = 10

  var lines: [String] {
    let classes = Dictionary(grouping: verification.differences, by: \.className)
    return classes.sorted { $0.key < $1.key }.flatMap { [$0.key] + records($0.value) }
      + verification.guarded.map(ReportText.line) + ending
  }

  private func records(_ differences: [Verification.Difference]) -> [String] {
    Verification.counts(differences).flatMap { kind, count in
      let listed = differences.filter { $0.kind == kind }.prefix(limit ?? count).map {
        "    \($0.line)"
      }
      let more = count - listed.count
      return ["  \(count.grouped) \(kind.words)"] + listed
        + (more > 0 ? ["    ... and \(more.grouped) more; --verbose lists all"] : [])
    }
  }

  private var ending: [String] {
    let counts = Verification.counts(verification.differences)
    let sum = counts.map { "\($1.grouped) \($0.words)" }.joined(separator: ", ")
    let records = rows.map { "\($0.count.grouped) \($0.className)" }.joined(separator: ", ")
    var lines: [String] = []
    if verification.isCut { lines.append("There are more; only the first were listed.") }
    if !counts.isEmpty { lines.append("The two sides differ: \(sum).") }
    lines += remedies
    if !verification.isWhole {
      lines.append("Not everything could be compared; the warnings say why.")
    } else if counts.isEmpty {
      lines.append("Both sides are equal: \(records).")
    }
    return lines
  }
}

extension VerificationText {
  /// The differences that a sync mends, and those that it leaves.
  private var remedies: [String] {
    let differences = verification.differences
    let mended = differences.count(where: \.isMendedBySync)
    let left = differences.count - mended
    var lines: [String] = []
    if mended > 0 {
      let which = left == 0 ? "them" : mended == 1 ? "1 of them" : "\(mended.grouped) of them"
      lines.append("\"ferry sync --compare everything\" brings \(which) in step.")
    }
    if left > 0 {
      let which = left == 1 ? "1 difference" : "\(left.grouped) differences"
      lines.append("A sync leaves \(which); \"ferry status\" says what to do about what is left.")
    }
    return lines
  }
}

extension JSONMessage {
  /// The last line of a verification.
  init(_ verification: Verification) {
    let classes = Dictionary(grouping: verification.differences, by: \.className)
    self.init(
      "verification",
      [
        "equal": .boolean(verification.isEqual), "whole": .boolean(verification.isWhole),
        "cut": .boolean(verification.isCut),
        "differences": Value(Verification.counts(verification.differences)),
        "classes": .object(classes.mapValues { Value(Verification.counts($0)) }),
        "requests": .count(verification.requests),
      ])
  }
}

extension Value {
  fileprivate init(_ counts: [(kind: Verification.Kind, count: Int)]) {
    self = .object(
      Dictionary(uniqueKeysWithValues: counts.map { ($0.kind.rawValue, .count($0.count)) }))
  }
}
