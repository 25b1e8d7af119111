// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerrySimulator
import Foundation

// Worlds with the classes of an app.
extension Options {
  /// Makes the world of a seed.
  ///
  /// - Throws: `Options.Fault` for a file that is no `ferry.json`, or a schema that no world can have.
  func worlds() throws -> @Sendable (UInt64) -> World {
    if hasMembers { return { World(seed: $0, hasMembers: true) } }
    guard let schema else { return { World(seed: $0) } }
    let classes = try classes(in: URL(filePath: schema))
    return { World(seed: $0, classes: classes) }
  }

  private func classes(in file: URL) throws -> [WorldClass] {
    let text: Data
    do {
      text = try Data(contentsOf: file)
    } catch {
      throw Fault("The file \(file.path) cannot be read: \(error.localizedDescription)")
    }
    do {
      return try WorldClass.classes(of: SyncConfiguration(json: text).schema, titles: titles)
    } catch let error as SyncConfigurationError {
      throw Fault("\(file.path):\(error.line):\(error.column): \(error.fault).")
    } catch let error as WorldSchemaError {
      throw Fault("\(error)")
    }
  }

  /// The options that choose the same classes again, for a command to be copied.
  var schemaWords: String {
    if hasMembers { return " --members" }
    guard let schema else { return "" }
    let titles = titles.sorted { $0.key < $1.key }.map { " --title \($0.key).\($0.value)" }
    return " --schema \(Self.quoted(schema))" + titles.joined()
  }

  /// A path as a shell reads it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
