// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore
import Foundation
import LoopbackParse

// The worlds of the actors, as lines of a story.
extension StoryWorld {
  /// The actors that hold something, with what they hold.
  func lines() throws -> [(actor: Actor, lines: [WorldLine])] {
    for device in devices { try device.learnIDs() }
    let held = try devices.map { (Actor.device($0.name), try $0.lines().sorted()) }
    return held + [(.server, try serverLines().sorted())]
  }

  /// Everything that a plan must not change: what all hold, and what is staged, as text.
  func holdings() throws -> [String] {
    let held = try lines().flatMap { actor, lines in lines.map { "\(actor.title): \($0.text)" } }
    let staged = devices.flatMap { device in
      (FileManager.default.enumerator(atPath: device.staging.path)?.compactMap { $0 as? String }
        ?? [])
        .sorted().map { "\(device.name): \($0)" }
    }
    return held + staged
  }

  private func serverLines() throws -> [WorldLine] {
    let schema = devices.map(\.schema).max { $0.fieldCount < $1.fieldCount } ?? telling.schema
    var rows: [String: [LoopbackValue]] = [:]
    let entities = schema.entities.filter { $0.membership == nil }
    for entity in entities { rows[entity.name] = try server.rows(of: entity.name) }
    let present = Set(
      rows.flatMap { className, rows in
        rows.map { Pointer(className: className, objectID: $0["objectId"]?.string ?? "") }
      })
    let files = Dictionary(grouping: try server.fileNames().map { File(name: $0).nameByApp }) { $0 }
      .map { WorldLine.files($1.count, named: $0) }
    let lines = try entities.flatMap { entity in
      try rows[entity.name, default: []].map { row in
        let ids = ["objectId", telling.options.sync.clientKeyField].compactMap { row[$0]?.string }
        let name = ids.lazy.compactMap { self.names.name(of: entity.name, objectID: $0) }.first
        var fields = (row.object ?? [:]).mapValues {
          StoryValue.text(of: $0.storyValue) { self.names.text(of: $0, among: present) }
        }
        for membership in schema.memberships(of: entity) {
          let members = try client.members(of: row["objectId"]?.string ?? "", membership)
          fields[membership.field] = names.list(of: members, membership.memberClass)
        }
        return WorldLine.row(name ?? "?", of: entity, fields)
      }
    }
    return files + lines
  }
}

extension Schema {
  fileprivate var fieldCount: Int { entities.map(\.fields.count).reduce(0, +) }

  /// The relations of a class whose members the devices keep.
  fileprivate func memberships(of entity: Entity) -> [Membership] {
    entities.compactMap(\.membership).filter { $0.ownerClass == entity.name }
  }
}

extension NameBook {
  /// The name of a pointer, for an actor that holds the records given.
  fileprivate func text(of pointer: Pointer, among present: Set<Pointer>) -> String? {
    guard let name = name(of: pointer.className, objectID: pointer.objectID) else { return nil }
    return present.contains(pointer) ? name : "missing \(name)"
  }

  /// Members as a list in the order of their names; nil for none.
  fileprivate func list(of objectIDs: [String], _ className: String) -> String? {
    let names = objectIDs.map { name(of: className, objectID: $0) ?? "?" }
      .sorted { ($0.count, $0) < ($1.count, $1) }
    return names.isEmpty ? nil : "[\(names.joined(separator: ", "))]"
  }

  /// Lost fields; a relation itself loses nothing.
  fileprivate func text(of fields: Fields) -> [String: String] {
    fields.values.filter { if case .relation = $1 { false } else { true } }.mapValues { value in
      StoryValue.text(of: value) { self.name(of: $0.className, objectID: $0.objectID) }
    }
  }
}

extension StoryDevice {
  fileprivate func lines() throws -> [WorldLine] {
    try store.syncRead { db throws(StoreError) in
      try self.rows(db) + self.pending(db) + self.conflicts(db) + self.quarantined(db)
    }
  }

  private func rows(_ db: any SyncReader) throws(StoreError) -> [WorldLine] {
    let entities = schema.entities.filter { $0.membership == nil }
    let rows = try entities.map { entity throws(StoreError) in
      (entity, try db.records(of: entity.name))
    }
    var members: [Record] = []
    for entity in schema.entities where entity.membership != nil {
      members += try db.records(of: entity.name)
    }
    let present = Set(
      rows.flatMap { $1.map { Pointer(className: $0.className, objectID: $0.objectID) } })
    return rows.flatMap { entity, rows in
      rows.map { row in
        var fields = row.fields.values.mapValues { value in
          StoryValue.text(of: value) { self.names.text(of: $0, among: present) }
        }
        for membership in self.schema.memberships(of: entity) {
          fields[membership.field] = self.names.list(
            of: self.members(of: row, membership, members, among: present), membership.memberClass)
        }
        return .row(self.name(of: row.reference), of: entity, fields)
      }
    }
  }

  /// The members of a row that have rows of their own.
  private func members(
    of row: Record, _ membership: Membership, _ pairs: [Record], among present: Set<Pointer>
  ) -> [String] {
    pairs.filter { self.schema.entity($0.className)?.membership == membership }
      .compactMap { MemberPair($0.fields) }
      .filter { $0.owner == row.objectID && present.contains(membership.member(of: $0)) }
      .map(\.member)
  }

  /// An unsent addition or removal, as a story says it.
  private func pendingMember(
    _ entry: OutboxEntry, _ db: any SyncReader, _ membership: Membership, _ state: String
  ) throws(StoreError) -> WorldLine {
    let row = try db.record(of: entry.className, localID: entry.localID)
    let pair = row.flatMap { MemberPair($0.fields) } ?? MemberPair(entry.base)
    func name(_ pointer: Pointer?) -> String {
      pointer.flatMap { self.names.name(of: $0.className, objectID: $0.objectID) } ?? "?"
    }
    return .pendingMember(
      adds: entry.kind == .create, name(pair.map(membership.member)),
      name(pair.map(membership.owner)), membership.field, of: entry.className, state: state)
  }

  private func pending(_ db: any SyncReader) throws(StoreError) -> [WorldLine] {
    var lines: [WorldLine] = []
    for entry in try db.pendingEntries(of: nil) {
      guard let state = entry.state.story(self.name(of:)) else { continue }
      if let membership = schema.entity(entry.className)?.membership {
        lines.append(try pendingMember(entry, db, membership, state))
        continue
      }
      let row = RecordReference(
        className: entry.className, localID: entry.localID, objectID: entry.objectID)
      lines.append(
        .pending(
          entry.kind.rawValue, name(of: row), of: entry.className,
          state: entry.rule == nil ? state : "waiting for rule"))
    }
    return lines
  }

  private func conflicts(_ db: any SyncReader) throws(StoreError) -> [WorldLine] {
    try db.conflicts().compactMap { entry in
      self.schema.entity(entry.record.className).map { entity in
        .conflict(
          entry.reason.rawValue, self.name(of: entry.record), of: entity,
          self.names.text(of: entry.lost))
      }
    }
  }

  private func quarantined(_ db: any SyncReader) throws(StoreError) -> [WorldLine] {
    try db.quarantine(of: nil).map { record in
      .quarantined(
        self.names.name(of: record.className, objectID: record.objectID) ?? "?",
        of: record.className)
    }
  }

  func name(of row: RecordReference) -> String {
    names.name(of: row.className, objectID: row.objectID)
      ?? names.name(of: row.className, localID: row.localID, on: name) ?? "?"
  }
}

extension OutboxEntry.State {
  /// How a story says it: empty for a change that is simply due, nil where nothing is left to send.
  fileprivate func story(_ name: (RecordReference) -> String) -> String? {
    switch self {
    case .confirming: nil
    case .ready: ""
    case .sending: "sending"
    case .inDoubt: "unknown"
    case .parked(let refusal):
      "parked \(refusal.reason.rawValue)" + (refusal.code.map { " \($0)" } ?? "")
    case .blocked(.newerVersion): "waiting for version"
    case .blocked(.notFound): "waiting for record"
    case .blocked(.quarantine): "waiting for cure"
    case .blocked(.confirmation): "waiting for confirmation"
    case .blocked(.backOff): "waiting for retry"
    case .blocked(.newFile): "waiting for file"
    case .blocked(.formerID), .blocked(.keptRow): "waiting for rule"
    case .blocked(.record(let parent)):
      "blocked by "
        + name(
          RecordReference(
            className: parent.className, localID: parent.localID, objectID: ""))
    }
  }
}
