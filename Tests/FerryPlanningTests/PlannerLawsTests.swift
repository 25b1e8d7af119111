// Ferry: offline-first sync for Parse Server. MIT licence.

import PlannerCases
import Testing

/// The laws of each planner, on generated cases; `ferry-simulate --planners` checks millions.
@Suite(.timeLimit(.minutes(5)))
struct PlannerLawsTests {
  @Test(arguments: Planner.allCases) func `every law holds`(of planner: Planner) {
    let (tallies, failures) = PlannerCampaign(first: 1, count: 400, only: planner).run()
    #expect(tallies[planner]?.cases == 400)
    #expect(failures.map { "case \($0.number): \($0.law)" }.first == nil)
  }

  @Test func `every case belongs to one planner`() {
    #expect(Planner.allCases.reduce(0) { $0 + $1.share } == 100)
  }
}
