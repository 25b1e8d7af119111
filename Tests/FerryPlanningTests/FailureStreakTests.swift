// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Testing

struct FailureStreakTests {
  private let now = Timestamp(milliseconds: 1_000_000)

  private func streak(_ failures: Int, isShared: Bool = false) -> FailureStreak {
    var streak = FailureStreak()
    for _ in 0..<failures { streak.add(isShared: isShared, at: now) }
    return streak
  }

  @Test(arguments: [
    (0, nil), (4, nil), (5, 1), (6, 4), (7, 16), (8, 64), (9, 256), (10, 1024), (11, 3600),
    (99, 3600),
  ])
  func `pauses begin with the fifth failure and grow up to an hour`(
    _ failures: Int, _ seconds: Int64?
  ) throws {
    guard let seconds else { return #expect(streak(failures).pauseEnd(after: now) == nil) }
    let end = try #require(streak(failures).pauseEnd(after: now))
    let pause = end.milliseconds - now.milliseconds
    #expect(pause >= seconds * 500 && pause <= seconds * 1000)
    #expect(streak(failures).pauseEnd(after: end) == nil)
  }

  @Test func `devices that fail together come back one after another`() {
    let ends = (0..<1000).compactMap { number -> Int64? in
      let now = now.adding(milliseconds: Int64(number % 40))
      var streak = FailureStreak()
      for _ in 0..<11 { streak.add(isShared: false, at: now) }
      return streak.pauseEnd(after: now)?.milliseconds
    }
    let minutes = Dictionary(grouping: ends) { $0 / 60_000 }
    #expect(minutes.count > 15)
    #expect(minutes.values.allSatisfy { $0.count < 200 })
  }

  @Test func `a batch that fails makes its changes go alone, without a pause`() {
    let streak = streak(20, isShared: true)
    #expect(streak.isShared && streak.count == 20)
    #expect(streak.pauseEnd(after: now) == nil)
  }

  @Test func `a change that goes alone stays alone`() {
    var streak = streak(1, isShared: true)
    streak.add(isShared: false, at: now)
    #expect(streak.isShared)
  }

  @Test func `an edit ends the pause and not the solitude`() {
    var streak = streak(1, isShared: true)
    for _ in 0..<9 { streak.add(isShared: false, at: now) }
    streak.endPause()
    #expect(streak.pauseEnd(after: now) == nil)
    #expect(streak.isShared && streak.count == 10)
  }

  @Test func `a clock that is set back lengthens no pause`() {
    var streak = streak(11)
    let past = Timestamp(milliseconds: 0)
    streak.trustClock(at: past)
    let end = streak.pauseEnd(after: past)
    #expect(end.map { $0 <= Timestamp(milliseconds: 3_600_000) } == true)
  }
}
