// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore
import Foundation

// Edits of an app, or of anyone with the database file.
extension StoryDevice {
  func insert(_ rows: StoryRows) throws {
    for index in rows.names.indices { try keepFiles(in: rows.fields(at: index)) }
    try store.write { db in
      for (index, name) in rows.names.enumerated() {
        let fields = try rows.fields(at: index)
          .mapValues { try $0.value { try self.pointer($0, atFirst: $1, db) } }
        let former = rows.isAgain ? self.names.identity(name)?.objectIDs.last : nil
        let row = try db.insert(
          rows.className, Fields(fields), objectID: rows.objectID ?? former, acl: rows.acl)
        self.names.learn(
          name, rows.className, objectID: row.objectID, on: self.name, localID: row.localID)
      }
    }
  }

  func set(_ name: String, _ fields: [String: StoryValue]) throws {
    try keepFiles(in: fields)
    try store.write { db in
      let row = try self.row(name, db)
      let values = try fields.mapValues {
        try $0.value { try self.pointer($0, atFirst: $1, db) }
      }
      try db.update(row.reference, Fields(values))
    }
  }

  /// Keeps the contents of new files, before a row names them.
  private func keepFiles(in fields: [String: StoryValue]) throws {
    for case .newFile(let file) in fields.values {
      let folder = staging.deletingLastPathComponent().appending(path: "files")
      let kept = try FileCache(at: folder).newFile(Data(file.content.utf8), name: file.name)
      guard kept == file.value else {
        throw StoryFault("\(self.name) kept \(kept.name) and not \(file.value.name)")
      }
    }
  }

  /// Changes the access list of a row; `id` says under which id the server knows a user.
  func share(_ name: String, _ sharing: Sharing, id: (String) throws -> String) throws {
    try store.write { db in
      let row = try self.row(name, db)
      try db.update(row.reference, [:], acl: sharing.list(after: AccessList(row.acl), id: id))
    }
  }

  func delete(_ name: String) throws {
    try store.write { db in
      try db.delete(self.row(name, db).reference)
    }
  }

  /// Restores the newest conflict record of a row: one that was not restored yet, if there is one.
  func restore(_ name: String) throws {
    try store.write { db in
      let identity = self.names.identity(name)
      let entries = try db.conflicts().filter { entry in
        entry.record.className == identity?.className
          && (identity?.localIDs[self.name] == entry.record.localID
            || identity?.objectIDs.contains(entry.record.objectID) == true)
      }
      guard let id = (entries.first { !$0.isRestored } ?? entries.first)?.id else {
        throw StoryFault("\(self.name) has no conflict record of \(name)")
      }
      let row = try db.restore(conflict: id)
      self.names.learn(
        name, row.className, objectID: row.objectID, on: self.name, localID: row.localID)
    }
  }

  /// Learns which rows have come, and under what ids.
  func learnRows() throws {
    let unplaced = Dictionary(grouping: names.unplaced(on: name), by: \.identity.className)
    for (className, identities) in unplaced {
      let rows = try store.syncRead { reader throws(StoreError) in
        try reader.records(of: className, objectIDs: identities.flatMap(\.identity.objectIDs))
      }
      for row in rows {
        guard let name = names.name(of: className, objectID: row.objectID) else { continue }
        names.learn(
          name, className, objectID: row.objectID, on: self.name, localID: row.localID)
      }
    }
  }

  /// Learns under which ids its rows go now.
  func learnIDs() throws {
    try store.read { db in
      for entity in self.schema.entities {
        for row in try db.records(of: entity.name)
        where self.names.name(of: entity.name, objectID: row.objectID) == nil {
          let name = self.names.name(of: entity.name, localID: row.localID, on: self.name)
          if let name { self.names.learn(name, entity.name, objectID: row.objectID) }
        }
      }
    }
  }

  /// Learns under which id a row goes now.
  func learnID(of name: String) {
    guard let identity = names.identity(name), let localID = identity.localIDs[self.name] else {
      return
    }
    let row = try? store.read { try $0.record(of: identity.className, localID: localID) }
    if let row { names.learn(name, identity.className, objectID: row.objectID) }
  }

  private func pointer(
    _ name: String, atFirst: Bool, _ reader: any StoreReader
  ) throws -> Pointer {
    if atFirst, let identity = names.identity(name), let id = identity.objectIDs.first {
      return Pointer(className: identity.className, objectID: id)
    }
    let row = try row(name, reader)
    return Pointer(className: row.className, objectID: row.objectID)
  }

  /// The row of a name on this device.
  func row(_ name: String, _ reader: any StoreReader) throws -> Record {
    guard let identity = names.identity(name) else {
      throw StoryFault("nobody has inserted \(name) yet")
    }
    if let localID = identity.localIDs[self.name],
      let row = try reader.record(of: identity.className, localID: localID)
    {
      return row
    }
    for id in identity.objectIDs.reversed() {
      if let row = try reader.record(of: identity.className, objectID: id) { return row }
    }
    throw StoryFault("\(self.name) has no \(name)")
  }
}
