// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryPlanning
import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct ReportTests {
  private func text(_ report: SyncReport, width: Int? = nil) -> String {
    ReportText(report: report, seconds: 3.24).lines(width: width).joined(separator: "\n")
  }

  @Test func `a report names the actions of a sync`() throws {
    try Snapshot.expect(text(Samples.report), is: "report/partial")
    try Snapshot.expect(text(Samples.report, width: 20), is: "report/partial-20-columns")
    try Snapshot.expect(text(Samples.guarded), is: "report/guarded")
    try Snapshot.expect(text(SyncReport()), is: "report/nothing")
  }

  @Test func `a plan names the actions that a sync would do`() throws {
    let text = PlanText(plan: Samples.plan).lines.joined(separator: "\n")
    try Snapshot.expect(text, is: "plan/mixed")
    let whole = PlanText(plan: Samples.plan, limit: nil).lines.joined(separator: "\n")
    try Snapshot.expect(whole, is: "plan/mixed-verbose")
    let empty = SyncPlan(actions: [], report: SyncReport())
    #expect(PlanText(plan: empty).lines == ["Nothing to do."])
    var cut = Samples.plan
    cut.actions.removeFirst(4)
    #expect(PlanText(plan: cut).lines.contains { $0.hasPrefix("Only the first 16 actions") })
  }

  @Test func `a legend explains exactly the codes that are shown`() {
    // The lines of what is left and of the summary follow it.
    let legend = PlanText(plan: Samples.plan).lines.dropLast(2).last
    for kind in SyncAction.Kind.allCases {
      let isShown = Samples.plan.actions.contains { $0.kind == kind }
      #expect(legend?.contains("\(kind.code) ") == isShown)
    }
    #expect(Set(SyncAction.Kind.allCases.map(\.code)).count == SyncAction.Kind.allCases.count)
  }

  @Test func `the JSON summary contains the promised members`() throws {
    let line = JSONMessage(summary: Samples.report).line
    #expect(line.hasPrefix(#"{"message_type":"summary","outcome":"partial","classes":{"Game":{"#))
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let promised = [
      "message_type", "outcome", "classes", "stages", "requests", "bytes_down", "bytes_up",
    ]
    #expect(Set(promised).isSubset(of: object.keys))
    let game = try #require((object["classes"] as? [String: [String: Int]])?["Game"])
    let counts = [
      "imported", "updated", "unchanged", "deleted", "evicted", "created", "put", "removed",
      "merged",
      "parked",
      "quarantined",
    ]
    #expect(Set(counts).isSubset(of: game.keys))
    #expect(game["imported"] == 12_345)
    #expect(object["bytes_down"] as? Int == 5_432_100)
  }

  @Test func `each action and event has a line of JSON`() throws {
    var lines = Samples.plan.actions.suffix(8).map { JSONMessage($0).line }
    let events: [SyncEvent] = [
      .started, .stageStarted(.importing),
      .progress(SyncProgress(stage: .importing, className: "Game", done: 3, expected: 9)),
      .progress(SyncProgress(stage: .download, className: "Game", done: 3, expected: nil)),
      .stageEnded(.importing, seconds: 1.25),
      .retrying(reason: "The server answered with HTTP 503.", after: .milliseconds(1500)),
      .notice(SyncNotice(.parked, className: "Game", objectID: "aA1", "It was refused.")),
      .initialSyncCompleted(className: "Game"),
    ]
    lines += events.compactMap { JSONMessage($0)?.line }
    #expect(JSONMessage(SyncEvent.completed(SyncReport())).map(\.line) == nil)
    try Snapshot.expect(lines.joined(separator: "\n"), is: "report/messages")
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_499, "999 kB"), (999_500, "1 MB"),
    (5_432_100, "5 MB"), (12_000_000_000, "12 GB"), (12_345_000_000_000, "12,345 GB"),
  ])
  func `sizes and counts are rounded`(bytes: Int, expected: String) {
    #expect(ReportText.size(bytes) == expected)
  }

  @Test(arguments: [
    (0, "0.0 s"), (1.26, "1.3 s"), (59.9, "59.9 s"), (61, "1 min 1 s"), (3600, "60 min 0 s"),
  ])
  func `durations are rounded`(seconds: Double, expected: String) {
    #expect(ReportText.duration(seconds) == expected)
  }
}
