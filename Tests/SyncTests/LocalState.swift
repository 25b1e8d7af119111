// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Foundation

/// The local state that a plan must not change.
struct LocalState: Equatable {
  var rows: [[Record]]
  var pending: [OutboxEntry]
  var files: [String]
}

extension Device {
  func state() throws -> LocalState {
    LocalState(
      rows: try store.read { db in try StorySchema.classNames.map { try db.records(of: $0) } },
      pending: try pending(),
      files: ((try? FileManager.default.subpathsOfDirectory(atPath: staging.path)) ?? []).sorted())
  }
}
