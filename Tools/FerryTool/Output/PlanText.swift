// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The text of a plan.
struct PlanText {
  var plan: SyncPlan
  /// How many records of each group to list; nil for all.
  var limit: Int? = 10
  /// The classes of which a sync lists nothing.
  var onDemand: [String] = []

  var lines: [String] {
    guard !plan.isEmpty else {
      let left = ReportText.remaining(in: plan.report)
      return plan.report.guarded.map(ReportText.line) + left
        + unlisted + [left.isEmpty ? nothing : "Nothing that a sync could do."]
    }
    var lines: [String] = []
    for stage in StageName.allCases {
      let actions = plan.actions.filter { $0.stage == stage }
      if !actions.isEmpty { lines += [stage.rawValue] + groups(actions) }
    }
    if countedActions > plan.actions.count {
      lines.append(
        "Only the first \(plan.actions.count.grouped) actions are listed; the last line counts all."
      )
    }
    return lines + [Self.legend(of: plan)] + plan.report.conflictLines(isPlan: true)
      + plan.report.guarded.map(ReportText.line) + ReportText.remaining(in: plan.report) + unlisted
      + summary
  }

  private var unlisted: [String] {
    onDemand.map { "\($0) is fetched on demand: a sync lists none of its records." }
  }

  /// The stages that were not planned may have something to do.
  private var nothing: String {
    plan.report.stagesAlone.map { "Nothing to do in \($0). The other stages were not planned." }
      ?? "Nothing to do."
  }

  /// For each class its counts, and under them the records of each kind.
  private func groups(_ actions: [SyncAction]) -> [String] {
    Dictionary(grouping: actions, by: \.className).sorted { $0.key < $1.key }.flatMap {
      className, actions in
      let kinds = SyncAction.Kind.allCases.compactMap { kind -> (String, [String])? in
        let actions = actions.filter { $0.kind == kind }
        return actions.isEmpty ? nil : (kind.counted(actions.count), records(actions))
      }
      return ["  \(className): \(kinds.map(\.0).joined(separator: ", "))"] + kinds.flatMap(\.1)
    }
  }

  private func records(_ actions: [SyncAction]) -> [String] {
    let listed = actions.prefix(limit ?? actions.count)
    let more = actions.count - listed.count
    let code = actions[0].kind.code
    let rest = "    \(code) ... and \(more.grouped) more; --verbose lists all"
    let reasons = Set(actions.map(\.reason))
    // A reason of all of them is said once.
    guard actions.count > 1, reasons.count == 1, let reason = actions[0].reason else {
      return listed.map(Self.line) + (more > 0 ? [rest] : [])
    }
    let lines = listed.map { action in
      var action = action
      action.reason = nil
      return Self.line(action)
    }
    return ["    \(code) \(reason)"] + lines + (more > 0 ? [rest] : [])
  }

  /// A record on one line: code, names, fields, reason.
  static func line(_ action: SyncAction) -> String {
    var parts = ["    \(action.kind.code)"]
    if let localID = action.localID { parts.append("#\(localID)") }
    if let objectID = action.objectID { parts.append(objectID) }
    if !action.fields.isEmpty { parts.append(action.fields.joined(separator: ", ")) }
    return parts.joined(separator: " ") + (action.reason.map { " (\($0))" } ?? "")
  }

  /// The actions on each side, on one line; no line if all changes are left.
  private var summary: [String] {
    let sides: [(String, [SyncAction.Kind])] = [
      ("Here", [.insert, .update, .merge, .remove, .evict, .quarantine]),
      ("Server", [.upload, .post, .put, .delete]),
    ]
    let texts = sides.compactMap { side, kinds -> String? in
      let counts = kinds.compactMap { kind -> String? in
        let count = total(kind)
        return count == 0 ? nil : kind.counted(count)
      }
      return counts.isEmpty ? nil : "\(side): \(counts.joined(separator: ", "))."
    }
    return texts.isEmpty ? [] : [texts.joined(separator: " ")]
  }

  private var countedActions: Int { SyncAction.Kind.allCases.reduce(0) { $0 + total($1) } }

  /// The report counts all, however many actions are listed.
  private func total(_ kind: SyncAction.Kind) -> Int {
    plan.report.classes.values.reduce(0) { $0 + $1.count(of: kind) }
  }

  private static func legend(of plan: SyncPlan) -> String {
    let kinds = SyncAction.Kind.allCases.filter { kind in plan.actions.contains { $0.kind == kind }
    }
    return kinds.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
  }
}

extension SyncAction.Kind {
  /// Two characters: where, and what.
  var code: String {
    switch self {
    case .insert: "<+"
    case .update: "<~"
    case .merge: "<m"
    case .remove: "<-"
    case .evict: "<x"
    case .quarantine: "<q"
    case .upload: ">f"
    case .post: ">+"
    case .put: ">~"
    case .delete: ">-"
    case .park: "!p"
    case .wait: "!w"
    case .hold: "!h"
    }
  }

  var meaning: String {
    switch self {
    case .insert: "inserted locally"
    case .update: "changed locally"
    case .merge: "merged locally"
    case .remove: "removed locally"
    case .evict: "outside the filter, leaves"
    case .quarantine: "set aside locally"
    case .upload: "file sent to the server"
    case .post: "created on the server"
    case .put: "changed on the server"
    case .delete: "deleted on the server"
    case .park: "refused, waits for you"
    case .wait: "waits"
    case .hold: "held back until confirmed"
    }
  }

  func counted(_ count: Int) -> String {
    let (one, many) =
      switch self {
      case .insert: ("insert", "inserts")
      case .update: ("update", "updates")
      case .merge: ("merge", "merges")
      case .remove: ("removal", "removals")
      case .evict: ("eviction", "evictions")
      case .quarantine: ("quarantined", "quarantined")
      case .upload: ("file", "files")
      case .post: ("create", "creates")
      case .put: ("edit", "edits")
      case .delete: ("delete", "deletes")
      case .park: ("parked", "parked")
      case .wait: ("waiting", "waiting")
      case .hold: ("held back", "held back")
      }
    return "\(count.grouped) \(count == 1 ? one : many)"
  }
}

extension SyncReport.Counts {
  fileprivate func count(of kind: SyncAction.Kind) -> Int {
    switch kind {
    case .insert: imported
    case .update: updated
    case .merge: merged
    case .remove: removed
    case .evict: evicted
    case .quarantine: quarantined
    case .upload: uploaded
    case .post: created
    case .put: put
    case .delete: deleted
    case .park: parked
    case .wait: waiting
    case .hold: held
    }
  }
}
