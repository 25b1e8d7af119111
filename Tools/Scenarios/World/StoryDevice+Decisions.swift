// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryStore

// The decisions of an app about its changes.
extension StoryDevice {
  /// Takes the unsent change of a row back.
  func discard(_ name: String) throws {
    let change = try unsentChange(of: name)
    let isDiscarded = try store.write { db in
      try db.discardChange(of: change.className, localID: change.localID)
    }
    guard isDiscarded else { throw StoryFault("\(self.name) had nothing of \(name) to discard") }
    let row = try store.read {
      try $0.record(of: change.className, localID: change.localID)
    }
    if let row { names.learn(name, row.className, objectID: row.objectID) }
  }

  /// Lets the next sync send the parked change of a row again.
  func retry(_ name: String) throws {
    let change = try unsentChange(of: name)
    guard try store.retryChange(of: change.className, localID: change.localID) else {
      throw StoryFault("the change of \(name) on \(self.name) is not parked and does not pause")
    }
  }

  /// Says whether the server has carried out an addition to a row.
  func decide(_ name: String, _ counted: Bool) throws {
    let change = try unsentChange(of: name)
    let isDecided = try store.decideIncrements(
      of: change.className, localID: change.localID, counted: counted)
    guard isDecided else {
      throw StoryFault("the change of \(name) on \(self.name) has no addition to decide about")
    }
  }

  /// Lets the next sync fetch a record in quarantine again.
  func retryQuarantined(_ name: String) throws {
    let identity = names.identity(name)
    for id in identity?.objectIDs ?? [] {
      if try store.retryQuarantined(of: identity?.className ?? "", objectID: id) { return }
    }
    throw StoryFault("\(name) is not in quarantine on \(self.name), or is fetched again already")
  }

  /// Takes the app's last transaction back.
  func undo() throws {
    guard try store.undo() != nil else { throw StoryFault("\(name) had nothing to undo") }
  }

  /// Takes the last undo back.
  func redo() throws {
    guard try store.redo() != nil else { throw StoryFault("\(name) had nothing to redo") }
  }

  private func unsentChange(of name: String) throws -> PendingChange {
    let identity = names.identity(name)
    let changes = try store.inspect { try $0.pendingChanges(of: identity?.className) }
    let change = changes.first { change in
      identity?.localIDs[self.name] == change.localID
        || change.objectID.map { identity?.objectIDs.contains($0) == true } == true
    }
    guard let change else { throw StoryFault("\(self.name) has no unsent change of \(name)") }
    return change
  }
}
