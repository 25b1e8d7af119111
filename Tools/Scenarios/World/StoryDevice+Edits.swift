// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryStore
import Foundation

// What an app, or anyone with the database file, does on a device.
extension StoryDevice {
  func insert(_ rows: StoryRows) throws {
    try store.write { db in
      for (index, name) in rows.names.enumerated() {
        let fields = try rows.fields(at: index)
          .mapValues { try $0.value { try self.pointer($0, db) } }
        let row = try db.insert(rows.className, Fields(fields), objectID: rows.objectID)
        self.names.learn(
          name, rows.className, objectID: row.objectID, on: self.name, localID: row.localID)
      }
    }
  }

  func set(_ name: String, _ fields: [String: StoryValue]) throws {
    try store.write { db in
      let row = try self.row(name, db)
      let values = try fields.mapValues { try $0.value { try self.pointer($0, db) } }
      try db.update(row.reference, Fields(values))
    }
  }

  func delete(_ name: String) throws {
    try store.write { db in
      try db.delete(self.row(name, db).reference)
    }
  }

  /// Learns under which ids its rows go now.
  func learnIDs() {
    try? store.read { db in
      for (name, className, localID) in self.names.names(on: self.name) {
        guard let row = try db.record(of: className, localID: localID) else { continue }
        self.names.learn(name, className, objectID: row.objectID)
      }
    }
  }

  private func pointer(
    _ name: String, _ reader: any StoreReader
  ) throws -> Pointer {
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
