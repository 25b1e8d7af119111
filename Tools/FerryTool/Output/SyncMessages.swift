// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension SyncNotice {
  /// The notice for people: the message of a parked change does not name its record by itself.
  var line: String {
    guard code == .parked, let className else { return message }
    let name = RecordName(className: className, localID: localID, objectID: objectID)
    return "\(name.text) is parked. \(message)"
  }
}

extension JSONMessage {
  /// An event of a run, for programs; nil for one that the summary or the exit error repeats.
  init?(_ event: SyncEvent) {
    switch event {
    case .started: self.init("started", [:])
    case .stageStarted(let stage): self.init("stage_started", ["stage": .string(stage.rawValue)])
    case .stageEnded(let stage, let seconds):
      self.init("stage_ended", ["stage": .string(stage.rawValue), "seconds": .seconds(seconds)])
    case .progress(let progress):
      self = JSONMessage(
        "progress",
        [
          "stage": .string(progress.stage.rawValue), "class": .string(progress.className),
          "done": .count(progress.done),
        ]
      ).with("expected", progress.expected.map(Value.count))
    case .sendingFile(let file):
      self.init(
        "sending_file",
        [
          "name": .string(file.name), "done": .count(file.done), "total": .count(file.total),
        ])
    case .retrying(let reason, let delay):
      self.init("retrying", ["reason": .string(reason), "seconds": .seconds(delay.seconds)])
    case .waiting(let seconds): self.init("waiting", ["seconds": .seconds(seconds)])
    case .notice(let notice): self.init(notice)
    case .initialSyncCompleted(let className):
      self.init("initial_sync_completed", ["class": .string(className)])
    case .completed, .failed: return nil
    }
  }

  init(_ notice: SyncNotice) {
    self = JSONMessage(
      "notice",
      ["code": .string(notice.code.rawValue), "message": .string(notice.message)]
    ).with("class", notice.className.map(Value.string))
      .with("local_id", notice.localID.map { .integer($0.rawValue) })
      .with("object_id", notice.objectID.map(Value.string))
  }

  /// A sync that failed and that `ferry watch` repeats.
  init(failureOfSync error: SyncError) {
    let failure = Failure(error)
    self.init("sync_failed", ["name": .string(failure.name), "message": .string(failure.message)])
  }

  /// The last line of a sync or a plan.
  init(summary report: SyncReport) {
    self = JSONMessage(
      "summary",
      [
        "outcome": .string(report.outcome.rawValue),
        "classes": .object(report.classes.mapValues { Value($0) }),
        "stages": .array(
          report.stages.map {
            ["name": .string($0.stage.rawValue), "seconds": .seconds($0.seconds)]
          }
        ),
        "requests": .count(report.requests), "bytes_down": .count(report.bytesDown),
        "bytes_up": .count(report.bytesUp), "guarded": .array(report.guarded.map { Value($0) }),
        "notices": .count(report.notices.count),
        "remaining": .object(report.remaining.mapValues { Value($0) }),
        "conflicts": .object(
          report.conflicts.mapValues { reasons in
            .object(
              Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, .count($0.value)) }))
          }),
      ]
    ).with("next_sync", report.nextSync.map { .string($0.description) })
      .with("conflict_run", report.conflictRun.map(Value.integer))
  }

  init(_ action: SyncAction) {
    self = JSONMessage(
      "action",
      [
        "stage": .string(action.stage.rawValue), "kind": .string(action.kind.rawValue),
        "class": .string(action.className),
      ]
    ).with("local_id", action.localID.map { .integer($0.rawValue) })
      .with("object_id", action.objectID.map(Value.string))
      .with("fields", action.fields.isEmpty ? nil : .texts(action.fields))
      .with("reason", action.reason.map { .string($0) })
  }
}

extension Value {
  /// A duration, to the microsecond.
  fileprivate static func seconds(_ seconds: Double) -> Value {
    .number((seconds * 1_000_000).rounded() / 1_000_000)
  }

  fileprivate init(_ counts: SyncReport.Counts) {
    self = .object([
      "imported": .count(counts.imported), "updated": .count(counts.updated),
      "unchanged": .count(counts.unchanged), "removed": .count(counts.removed),
      "evicted": .count(counts.evicted),
      "uploaded": .count(counts.uploaded), "created": .count(counts.created),
      "put": .count(counts.put),
      "deleted": .count(counts.deleted), "merged": .count(counts.merged),
      "parked": .count(counts.parked), "waiting": .count(counts.waiting),
      "held": .count(counts.held),
      "quarantined": .count(counts.quarantined),
    ])
  }

  fileprivate init(_ left: SyncReport.Remainder) {
    self = .object([
      "parked": .count(left.parked), "waiting": .count(left.waiting), "held": .count(left.held),
      "quarantined": .count(left.quarantined),
    ])
  }

  fileprivate init(_ removal: GuardedRemoval) {
    self = .object([
      "class": .string(removal.className), "side": .string(removal.side.rawValue),
      "count": .count(removal.count), "total": .count(removal.total),
      "confirmation": .string(removal.confirmation),
    ])
  }
}

extension Duration {
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
