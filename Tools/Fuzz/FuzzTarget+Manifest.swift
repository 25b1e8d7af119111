// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension FuzzTarget {
  /// A `ferry.json` that is read is written so that it reads as itself.
  static func checkManifest(_ bytes: Data) throws(BrokenLaw) {
    let configuration: SyncConfiguration
    do {
      configuration = try SyncConfiguration(json: bytes)
    } catch {
      return try law(
        error.line >= 1 && error.column >= 1 && !error.fault.isEmpty,
        "An error without a place: \(error)")
    }
    let text = configuration.json
    let again: SyncConfiguration
    do {
      again = try SyncConfiguration(json: Data(text.utf8))
    } catch {
      throw BrokenLaw("\(error) The text was written by Ferry: \(text)")
    }
    try law(again.json == text, "\(text) is written as \(again.json)")
    try law(
      again.schema.entities.map(\.fingerprint) == configuration.schema.entities.map(\.fingerprint)
        && again.keyFiles == configuration.keyFiles,
      "\(text) means something else than the file it was read from.")
  }
}
