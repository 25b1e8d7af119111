// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

/// Reports and plans for output tests.
enum Samples {
  static var report: SyncReport {
    var report = SyncReport()
    var game = SyncReport.Counts()
    game.imported = 12_345
    game.unchanged = 7
    game.created = 2
    game.put = 1
    game.parked = 1
    var left = SyncReport.Remainder()
    left.parked = 1
    report.remaining = ["Game": left]
    var league = SyncReport.Counts()
    league.imported = 4
    report.classes = ["Game": game, "League": league]
    report.requests = 17
    report.bytesDown = 5_432_100
    report.bytesUp = 9_876
    return report
  }

  static var guarded: SyncReport {
    var report = SyncReport()
    report.classes = ["Game": SyncReport.Counts()]
    report.guarded = [
      GuardedRemoval(
        className: "Game", side: .local, count: 30, total: 40, confirmation: "Game-3f2a"),
      GuardedRemoval(
        className: "Game", side: .server, count: 1, total: 6, confirmation: "Game-77b1"),
    ]
    return report
  }

  static var plan: SyncPlan {
    var report = SyncReport()
    var game = SyncReport.Counts()
    (game.imported, game.updated, game.merged, game.removed) = (12, 1, 1, 1)
    (game.created, game.put, game.deleted, game.waiting) = (1, 1, 1, 1)
    game.held = 1
    report.classes = ["Game": game]
    var left = SyncReport.Remainder()
    (left.waiting, left.held) = (1, 1)
    report.remaining = ["Game": left]
    let inserts = (1...12).map { number in
      SyncAction(.insert, in: .importing, className: "Game", objectID: "id\(number)")
    }
    let actions = [
      SyncAction(
        .update, in: .importing, className: "Game", localID: LocalID(rawValue: 1), objectID: "aA1",
        fields: ["title", "score"]),
      SyncAction(
        .merge, in: .importing, className: "Game", localID: LocalID(rawValue: 2), objectID: "bB2",
        fields: ["title"], reason: "both sides changed title; the server's value stays"),
      SyncAction(
        .remove, in: .deleteMissing, className: "Game", localID: LocalID(rawValue: 3),
        objectID: "cC3", reason: "gone on the server"),
      SyncAction(
        .post, in: .postCreated, className: "Game", localID: LocalID(rawValue: 4), fields: ["title"]
      ),
      SyncAction(
        .wait, in: .postCreated, className: "Game", localID: LocalID(rawValue: 5),
        reason: "waits for League #9"),
      SyncAction(
        .put, in: .putUpdated, className: "Game", localID: LocalID(rawValue: 6), objectID: "dD4",
        fields: ["score"]),
      SyncAction(
        .delete, in: .deleteDeleted, className: "Game", localID: LocalID(rawValue: 7),
        objectID: "eE5"),
      SyncAction(
        .hold, in: .deleteDeleted, className: "Game", localID: LocalID(rawValue: 8),
        objectID: "fF6"),
    ]
    return SyncPlan(actions: inserts + actions, report: report)
  }
}
