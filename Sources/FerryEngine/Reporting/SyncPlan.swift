// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import FerryPlanning

/// The actions that a sync would take now, found by running its stages on copies.
///
/// A plan changes nothing on either side. The store and the staging area are copies, and the plan
/// answers writes itself, like a server that accepts everything.
public struct SyncPlan: Sendable, Equatable {
  /// The actions in order; at most `SyncOptions.plannedActionLimit` of them.
  public var actions: [SyncAction]
  /// The report of the run on the copies; its counts cover all actions.
  public var report: SyncReport

  /// Whether a sync would do nothing.
  public var isEmpty: Bool { actions.isEmpty }

  package init(actions: [SyncAction], report: SyncReport) {
    self.actions = actions
    self.report = report
  }
}

extension SyncPlan: CustomStringConvertible {
  /// A line with the number of actions for each class and kind; "Nothing to do." if there are none.
  public var description: String {
    guard !isEmpty else { return "Nothing to do." }
    let groups = Dictionary(grouping: actions) {
      "\($0.stage.rawValue): \($0.kind.rawValue) \($0.className)"
    }
    var seen = Set<String>()
    return actions.compactMap { action in
      let line = "\(action.stage.rawValue): \(action.kind.rawValue) \(action.className)"
      guard seen.insert(line).inserted, let count = groups[line]?.count else { return nil }
      return "\(line) × \(count)"
    }.joined(separator: "\n")
  }
}
