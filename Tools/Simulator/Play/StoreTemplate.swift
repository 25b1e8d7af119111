// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryScenarios
import Foundation
import SimulatedDisk

/// A store that nobody has used: each new device of a world begins with a copy of its file.
struct StoreTemplate {
  private let file: URL

  /// Makes the store of a schema in a folder, with a trigger of the app; it is closed afterwards, so that its file holds all of it.
  init(of schema: Schema, with trigger: String?, in folder: URL) throws {
    file = try DeviceFolder(folder.appending(path: "template")).database
    _ = try SQLiteStore(at: file, schema: schema)
    if let trigger, !Database(file).transaction([trigger]) { throw BrokenTrigger(text: trigger) }
  }

  func copy(to database: URL) throws {
    try FileManager.default.copyItem(at: file, to: database)
  }
}

/// SQLite does not take a trigger of a world.
struct BrokenTrigger: Error {
  var text: String
}
