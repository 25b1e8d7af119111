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
    var remoteRecord: RemoteRecord?
    var fetchedRecords: FetchedRecords?
    var evictionReport: EvictionReport?
    var objectImport: ObjectImportReport?

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
      var rest = actions[...]
      while let first = rest.first {
        let alike = rest.prefix { $0.kind == first.kind && $0.className == first.className }
        state.report.classes[first.className, default: SyncReport.Counts()]
          .count(first.kind, alike.count)
        rest = rest.dropFirst(alike.count)
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

  /// The answer about the one record that the run looked up; nil before.
  var remoteRecord: RemoteRecord? { state.withLock { $0.remoteRecord } }

  func found(_ record: RemoteRecord) { state.withLock { $0.remoteRecord = record } }

  /// The outcome of a fetch and of an eviction; nil before, and in other runs.
  var fetchedRecords: FetchedRecords? { state.withLock { $0.fetchedRecords } }
  var evictionReport: EvictionReport? { state.withLock { $0.evictionReport } }

  func fetched(_ records: FetchedRecords) { state.withLock { $0.fetchedRecords = records } }

  func evicted(_ report: EvictionReport) { state.withLock { $0.evictionReport = report } }

  /// The outcome of an import of another library's objects; nil before, and in other runs.
  var objectImport: ObjectImportReport? { state.withLock { $0.objectImport } }

  func imported(_ report: ObjectImportReport) { state.withLock { $0.objectImport = report } }

  func remains(_ remaining: [String: SyncReport.Remainder], nextSync: Timestamp?) {
    state.withLock { state in
      state.report.remaining = remaining
      state.report.nextSync = nextSync
    }
  }

  func conflicts(_ counts: [String: [ConflictRecord.Reason: Int]], ofRun run: Int64) {
    state.withLock { state in
      state.report.conflicts = counts
      state.report.conflictRun = counts.isEmpty ? nil : run
    }
  }

  func stageEnded(_ stage: StageName, seconds: Double) {
    state.withLock { $0.report.stages.append(.init(stage: stage, seconds: seconds)) }
  }

  /// Bytes in bodies so far.
  var bytes: (down: Int, up: Int) { state.withLock { ($0.report.bytesDown, $0.report.bytesUp) } }

  func exchanged(up: Int, down: Int) {
    state.withLock { state in
      state.report.requests += 1
      state.report.bytesUp += up
      state.report.bytesDown += down
    }
  }
}

extension SyncReport.Counts {
  fileprivate mutating func count(_ kind: SyncAction.Kind, _ number: Int) {
    switch kind {
    case .insert: imported += number
    case .update: updated += number
    case .merge: merged += number
    case .remove: removed += number
    case .evict: evicted += number
    case .quarantine: quarantined += number
    case .upload: uploaded += number
    case .post: created += number
    case .put: put += number
    case .delete: deleted += number
    case .park: parked += number
    case .wait: waiting += number
    case .hold: held += number
    }
  }
}
