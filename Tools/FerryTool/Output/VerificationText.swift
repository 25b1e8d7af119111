// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

/// What differs between the two sides, for people.
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
    if counts.contains(where: { $0.kind.isMendedBySync }) {
      lines.append("\"ferry sync --compare everything\" brings them in step.")
    }
    if !verification.isWhole {
      lines.append("Not everything could be compared; what stands in the way is said above.")
    } else if counts.isEmpty {
      lines.append("Both sides are equal: \(records).")
    }
    return lines
  }
}

extension Verification.Kind {
  /// The others wait for a person: to confirm a removal, or to correct a record.
  fileprivate var isMendedBySync: Bool {
    switch self {
    case .missingHere, .otherVersion, .goneThere, .outsideFilter, .unsent: true
    case .held, .quarantined: false
    }
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
