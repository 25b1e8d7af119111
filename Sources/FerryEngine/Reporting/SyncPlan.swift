// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import FerryPlanning

/// What a sync would do now, found out by running its stages on copies.
///
/// Nothing is written on either side: the store and the staging area are copies, and writes are
/// answered here as a server would that accepts everything.
public struct SyncPlan: Sendable, Equatable {
  /// The actions, in the order they would be done; at most `SyncOptions.plannedActionLimit` of them.
  public var actions: [SyncAction]
  /// What the run on the copies reported; all counts are whole, however many actions are listed.
  public var report: SyncReport

  /// Whether a sync would do nothing.
  public var isEmpty: Bool { actions.isEmpty }

  package init(actions: [SyncAction], report: SyncReport) {
    self.actions = actions
    self.report = report
  }
}

extension SyncPlan: CustomStringConvertible {
  /// A line for each class and kind of action, with how many; "Nothing to do." when there are none.
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
