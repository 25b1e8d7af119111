// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryStore
import LoopbackParse

// What each actor holds, as lines of a story.
extension StoryWorld {
  /// The actors that hold something, with what they hold.
  func lines() throws -> [(actor: Actor, lines: [WorldLine])] {
    for device in devices { device.learnIDs() }
    let held = try devices.map { (Actor.device($0.name), try $0.lines().sorted()) }
    return held + [(.server, try serverLines().sorted())]
  }

  private func serverLines() throws -> [WorldLine] {
    let schema = devices.map(\.schema).max { $0.fieldCount < $1.fieldCount } ?? telling.schema
    return try schema.entities.flatMap { entity in
      try server.rows(of: entity.name).map { row in
        let ids = ["objectId", telling.options.sync.clientKeyField].compactMap { row[$0]?.string }
        let name = ids.lazy.compactMap { self.names.name(of: entity.name, objectID: $0) }.first
        let fields = (row.object ?? [:]).mapValues { text(of: $0.storyValue) }
        return .row(name ?? "?", of: entity, fields)
      }
    }
  }

  private func text(of value: Value) -> String { StoryValue.text(of: value, naming: names.name) }
}

extension Schema {
  fileprivate var fieldCount: Int { entities.map(\.fields.count).reduce(0, +) }
}

extension NameBook {
  fileprivate func name(_ pointer: Pointer) -> String? {
    name(of: pointer.className, objectID: pointer.objectID)
  }

  fileprivate func text(of fields: Fields) -> [String: String] {
    fields.values.mapValues { StoryValue.text(of: $0, naming: name) }
  }
}

extension StoryDevice {
  fileprivate func lines() throws -> [WorldLine] {
    try store.syncRead { db in
      try self.rows(db) + self.pending(db) + self.journal(db) + self.quarantined(db)
    }
  }

  private func rows(_ db: any SyncReader) throws -> [WorldLine] {
    try schema.entities.flatMap { entity in
      try db.records(of: entity.name).map { row in
        .row(self.name(of: row.reference), of: entity, self.names.text(of: row.fields))
      }
    }
  }

  private func pending(_ db: any SyncReader) throws -> [WorldLine] {
    try db.pendingEntries(of: nil).compactMap { entry in
      guard let state = entry.state.story(self.name(of:)) else { return nil }
      let row = RecordReference(
        className: entry.className, localID: entry.localID, objectID: entry.objectID)
      return .pending(
        entry.kind.rawValue, self.name(of: row), of: entry.className, state: state)
    }
  }

  private func journal(_ db: any SyncReader) throws -> [WorldLine] {
    try db.journal(limit: nil).compactMap { entry in
      self.schema.entity(entry.record.className).map { entity in
        .journal(
          entry.reason.rawValue, self.name(of: entry.record), of: entity,
          self.names.text(of: entry.lost))
      }
    }
  }

  private func quarantined(_ db: any SyncReader) throws -> [WorldLine] {
    try db.quarantine(of: nil).map { record in
      .quarantined(
        self.names.name(of: record.className, objectID: record.objectID) ?? "?",
        of: record.className)
    }
  }

  private func name(of row: RecordReference) -> String {
    names.name(of: row.className, localID: row.localID, on: name)
      ?? names.name(of: row.className, objectID: row.objectID) ?? "?"
  }
}

extension OutboxEntry.State {
  /// How a story says it: empty for a change that is simply due, nil where nothing is left to send.
  fileprivate func story(_ name: (RecordReference) -> String) -> String? {
    switch self {
    case .confirming: nil
    case .ready: ""
    case .sending: "sending"
    case .unknown: "unknown"
    case .parked(let refusal):
      "parked \(refusal.reason.rawValue)" + (refusal.code.map { " \($0)" } ?? "")
    case .blocked(let parent):
      "blocked by "
        + name(
          RecordReference(
            className: parent.className, localID: parent.localID, objectID: ""))
    }
  }
}
