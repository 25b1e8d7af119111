// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

extension SyncAction {
  /// The actions as sorted texts, so that those of a plan and of its sync can be compared.
  ///
  /// A plan cannot know ids that the server will choose; local ids identify the rows.
  package static func comparable(_ actions: [SyncAction]) -> [String] {
    actions.map { action in
      var action = action
      if action.localID != nil { action.objectID = nil }
      action.reason = nil
      return "\(action)"
    }.sorted()
  }
}
