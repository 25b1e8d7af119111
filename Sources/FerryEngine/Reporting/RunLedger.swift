// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryPlanning
import Synchronization

/// The results of a run so far: counts, actions, notices, requests.
///
/// Stages write to it as they act, so that plan and report come from the same lines of code.
final class RunLedger: Sendable {
  private struct State {
    var report = SyncReport()
    var actions: KeptActions
    var passed = Set<String>()

    init(actionLimit: Int) { actions = KeptActions(limit: actionLimit) }
  }

  private let state: Mutex<State>

  /// Keeps the first actions, up to the limit; the counts cover all actions.
  init(classNames: [String], actionLimit: Int) {
    var state = State(actionLimit: actionLimit)
    for name in classNames { state.report.classes[name] = SyncReport.Counts() }
    self.state = Mutex(state)
  }

  var report: SyncReport { state.withLock { $0.report } }
  var actions: [SyncAction] { state.withLock { $0.actions.all } }

  func act(_ action: SyncAction) { act([action]) }

  /// Counts actions, and keeps them as far as the limit allows.
  func act(_ actions: [SyncAction]) {
    state.withLock { state in
      for action in actions {
        state.report.classes[action.className, default: SyncReport.Counts()].count(action.kind)
      }
      state.actions.append(actions)
    }
  }

  /// Counts records from the server that equal their local rows.
  func unchanged(_ count: Int, in className: String) {
    state.withLock { $0.report.classes[className, default: SyncReport.Counts()].unchanged += count }
  }

  func notice(_ notice: SyncNotice) { state.withLock { $0.report.notices.append(notice) } }

  func guarded(_ removal: GuardedRemoval) { state.withLock { $0.report.guarded.append(removal) } }

  /// The confirmed sets of removals that passed.
  var passed: Set<String> { state.withLock { $0.passed } }

  func passed(_ confirmation: String) { state.withLock { _ = $0.passed.insert(confirmation) } }

  func remains(_ remaining: [String: SyncReport.Remainder], nextSync: Timestamp?) {
    state.withLock { state in
      state.report.remaining = remaining
      state.report.nextSync = nextSync
    }
  }

  func conflicts(_ counts: [String: [ConflictRecord.Reason: Int]]) {
    state.withLock { $0.report.conflicts = counts }
  }

  func stageEnded(_ stage: StageName, seconds: Double) {
    state.withLock { $0.report.stages.append(.init(stage: stage, seconds: seconds)) }
  }

  func exchanged(up: Int, down: Int) {
    state.withLock { state in
      state.report.requests += 1
      state.report.bytesUp += up
      state.report.bytesDown += down
    }
  }
}

extension SyncReport.Counts {
  fileprivate mutating func count(_ kind: SyncAction.Kind) {
    switch kind {
    case .insert: imported += 1
    case .update: updated += 1
    case .merge: merged += 1
    case .remove: removed += 1
    case .evict: evicted += 1
    case .quarantine: quarantined += 1
    case .post: created += 1
    case .put: put += 1
    case .delete: deleted += 1
    case .park: parked += 1
    case .wait: waiting += 1
    case .hold: held += 1
    }
  }
}
