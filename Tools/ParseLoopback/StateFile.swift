// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// The files the tool reads and writes.
enum StateFile {
  /// The backend in the state of the last run, or an empty one.
  static func load(_ options: Options) throws(ToolError) -> LoopbackBackend {
    guard let path = options.data, FileManager.default.fileExists(atPath: path) else {
      return LoopbackBackend(options.configuration)
    }
    let state = try json(in: path)
    do throws(LoopbackError) {
      return try LoopbackBackend(options.configuration, restoring: state)
    } catch {
      throw ToolError(
        exitCode: 65,
        message: "\(path) does not hold the state of a parse-loopback: \(error.message).")
    }
  }

  static func seed(_ backend: inout LoopbackBackend, from path: String) throws(ToolError) {
    let classes = try json(in: path)
    do throws(LoopbackError) {
      try backend.load(classes)
    } catch {
      throw ToolError(exitCode: 65, message: "\(path) cannot be loaded: \(error.message).")
    }
  }

  /// Writes another file and renames it, so that a reader sees either the old state or the new one.
  static func save(_ backend: LoopbackBackend, to path: String) throws(ToolError) {
    let aside = "\(path).\(ProcessInfo.processInfo.processIdentifier).new"
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    let data = Data(backend.snapshot().text.utf8)
    guard FileManager.default.createFile(atPath: aside, contents: data, attributes: attributes),
      rename(aside, path) == 0
    else {
      try? FileManager.default.removeItem(atPath: aside)
      throw ToolError(
        exitCode: 73,
        message: "The state cannot be written to \(path); its old content is unchanged.")
    }
  }

  private static func json(in path: String) throws(ToolError) -> LoopbackValue {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ToolError(exitCode: 66, message: "\(path) cannot be read.")
    }
    do throws(LoopbackError) {
      return try LoopbackValue(json: Array(data))
    } catch {
      throw ToolError(exitCode: 65, message: "\(path) is not JSON: \(error.message).")
    }
  }
}
