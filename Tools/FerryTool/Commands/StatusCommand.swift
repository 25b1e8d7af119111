// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// `ferry status`: what is here and what is unsent, without asking the server.
struct StatusCommand {
  var session: Session

  func run() throws -> ExitCode {
    let configuration = try session.configuration()
    let store = try session.existingStore(configuration)
    let names = configuration.entities.map(\.name)
    let status = StoreStatus(
      server: configuration.server.absoluteString, applicationID: configuration.applicationID,
      isStoreThere: store != nil,
      classes: try store?.syncRead { reader in
        try names.map { try StoreStatus.Class($0, in: reader) }
      } ?? names.map { StoreStatus.Class($0) },
      unnamed: try store?.syncRead { reader in
        try reader.remaining().filter { !names.contains($0.key) }
          .mapValues { $0.parked + $0.waiting + $0.held }
      } ?? [:])
    session.console.message(status.json)
    session.console.result(status.lines(width: session.console.facts.width).joined(separator: "\n"))
    return .success
  }
}

extension StoreStatus.Class {
  /// Counts what a store holds of a class.
  init(_ name: String, in reader: any SyncReader) throws {
    let state = try reader.syncState(of: name)
    self.init(
      name, rows: try reader.count(of: name), entries: [],
      quarantined: try reader.quarantine(of: name), held: state.heldRemoval,
      isInitialSyncDone: state.isInitialSyncDone, listedThrough: state.listedThrough)
    try reader.forEachPendingEntry(of: name) { count($0) }
  }
}
