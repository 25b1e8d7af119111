// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

/// The numbers of a campaign and its failures, as a table.
struct ResultTable {
  let tally: Tally
  let failures: [Campaign.Failure]
  let seconds: Double

  init(_ tally: Tally, _ failures: [Campaign.Failure], seconds: Double) {
    self.tally = tally
    self.failures = failures
    self.seconds = seconds
  }

  var text: String {
    let runs = tally.runs
    var rows: [(String, String)] = [
      ("worlds", "\(tally.worlds)"), ("syncs", "\(tally.syncs)"), ("plans", "\(tally.plans)"),
      ("moments within syncs", "\(tally.moments)"), ("requests", "\(tally.requests)"),
    ]
    rows += tally.happenings.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
    rows.append(("syncs and plans a second", "\(Int(Double(runs) / max(seconds, 0.001)))"))
    let processor = Double(clock()) / Double(CLOCKS_PER_SEC)
    rows.append(
      ("syncs and plans a second of processor", "\(Int(Double(runs) / max(processor, 0.001)))"))
    for rule in Violation.Rule.allCases {
      let count = failures.count { $0.violation.rule == rule }
      rows.append(("fell: \(rule.rawValue)", "\(count)"))
    }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { name, value in
      name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + value
    }
    return lines.joined(separator: "\n")
  }
}
