// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry status`: what is here and what is unsent, without asking the server.
struct StatusCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let entities = configuration.schema.entities
    var status = StoreStatus(
      server: configuration.server.absoluteString, applicationID: configuration.applicationID,
      isStoreThere: session.hasStore, isStoreEmpty: session.workspace.isStoreEmpty,
      classes: entities.map { StoreStatus.Class($0.name, isOnDemand: $0.isOnDemand) })
    try session.inspect(configuration) { store throws(StoreError) in
      status.classes = try entities.map { entity throws(StoreError) in
        try StoreStatus.Class(entity, in: store)
      }
      status.leftOut = try LeftOutChanges(in: store)
      status.history = try store.rows.historyExtent()
      status.historyByteCount = try store.rows.historyByteCount()
      status.unseenConflicts = try store.rows.unseenConflictCounts()
      status.lostUploads = try store.lostUploads().reduce(0) { $0 + $1.count }
    }
    session.console.message(status.json)
    session.console.result(status.lines(width: session.console.facts.width).joined(separator: "\n"))
    return .success
  }
}

extension StoreStatus.Class {
  /// Counts what a store holds of a class.
  init(_ entity: Entity, in store: StoreInspection) throws(StoreError) {
    let name = entity.name
    let state = try store.syncState(of: name)
    self.init(
      name, rows: try store.rows.count(of: name), changes: [],
      quarantined: try store.rows.quarantine(of: name), held: try store.heldRemovals(of: name),
      kept: try store.keptRows(of: name), failure: state.failure,
      isInitialSyncDone: state.isInitialSyncDone,
      listedThrough: state.listedThrough)
    isOnDemand = entity.isOnDemand
    try store.forEachPendingChange(of: name) { count($0) }
  }
}
