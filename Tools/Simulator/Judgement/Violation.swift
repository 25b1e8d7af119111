// Ferry: offline-first sync for Parse Server. MIT licence.

/// A rule that a world has broken.
public struct Violation: Error, Sendable, Hashable {
  /// The rule.
  public enum Rule: String, Sendable, CaseIterable {
    /// A write of an app is nowhere: no row, no outbox, no conflict record, not in the server's history.
    case lostWrite = "lost write"
    /// One create made several records.
    case duplicate
    /// A device overwrote a value that it never had, or sent a value that its app did not write.
    case blindWrite = "blind write"
    /// A change was sent in a session of another user than the one whose app made it.
    case wrongUser = "wrong user"
    /// A value that the app replaced came back, or counted as a change of others.
    case staleValue = "stale value"
    /// An undo, a redo or a discard did something else than it says.
    case takenBack = "taken back"
    /// A value is where nobody wrote it.
    case phantom
    /// In the end, a device and the server hold different rows or values.
    case divergence
    /// A class was emptied on a device although nobody confirmed that.
    case massRemoval = "mass removal"
    /// In the end, a change waits without a reason.
    case stuck
    /// A deleted record is there in the end although deletes win.
    case resurrection
    /// A record could not be imported although nothing is wrong with it.
    case quarantine
    /// A sync failed although nothing went wrong, or in a way in which no sync may fail.
    case failedSync = "failed sync"
    /// A sync of a calm world in step did something.
    case unrest
    /// A sync did something else than its plan.
    case otherThanPlanned = "other than planned"
    /// The store's answer after a fetch is not that of the server's records with the device's edits.
    case wrongAnswer = "wrong answer"
    /// A row of an on-demand class came without a fetch, or its record was made or removed without any edit.
    case uninvited
    /// A device that syncs by itself did so too early, too late, or too often.
    case offSchedule = "off schedule"
    /// An observed query shows other rows than the query, or the same rows again.
    case missedChange = "missed change"
    /// A sync took too many requests.
    case tooManyRequests = "too many requests"
    /// The database of a device is damaged, though its disk kept what it promised.
    case damagedFile = "damaged file"
    /// A request would harm a real server.
    case harm
    /// The same world took two courses.
    case nondeterminism
  }

  /// The rule that does not hold.
  public var rule: Rule
  /// Where, and what is there instead.
  public var message: String

  init(_ rule: Rule, _ message: String) {
    self.rule = rule
    self.message = message
  }
}
