// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Makes a local datastore as Parse's SDK for Apple platforms keeps it, statement by statement as its version 6.1.1 does.
///
/// The tables, the order of the writes and the members of the JSON follow `PFOfflineStore`, `PFObject` and
/// `PFOperationSet` of that version. Members that the SDK always writes are here, too.
package final class LocalDatastoreFile {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private var statements = [
    "CREATE TABLE IF NOT EXISTS ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, objectId TEXT, "
      + "json TEXT, isDeletingEventually INTEGER DEFAULT 0, UNIQUE(className, objectId));",
    "CREATE TABLE IF NOT EXISTS Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY(key, uuid));",
  ]
  private var pinned: [[String: Any]] = []

  package init() {}

  /// A key as the SDK makes one.
  package static func uuid() -> String { UUID().uuidString }

  /// A pointer to an object that the server does not have.
  package static func offline(_ uuid: String) -> [String: Any] {
    ["__type": "OfflineObject", "uuid": uuid]
  }

  /// A pointer to a record.
  package static func pointer(_ className: String, _ id: String) -> [String: Any] {
    ["__type": "Pointer", "className": className, "objectId": id]
  }

  /// A set of edits, as an object keeps it in `__operations`.
  package static func edits(
    _ fields: [String: Any], isEventual: Bool = false, uuid: String = uuid()
  ) -> [String: Any] {
    var set = fields
    set["__uuid"] = uuid
    set["__updatedAt"] = ["__type": "Date", "iso": "2026-03-01T12:00:00.000Z"]
    if isEventual { set["__isSaveEventually"] = true }
    return set
  }

  /// Pins an object, with the key of its first row.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - objectID: The server's id; nil for a new object.
  ///   - fields: The record as the server sent it, with its stamps.
  ///   - edits: The sets of edits; the SDK always has one more, which is empty if nothing was edited.
  ///   - isComplete: Whether all fields came.
  ///   - deletions: How many deletes wait.
  ///   - uuid: The key.
  /// - Returns: The key.
  /// - Throws: An error for fields that JSON does not have.
  @discardableResult
  package func pin(
    _ className: String, _ objectID: String? = nil, _ fields: [String: Any] = [:],
    edits: [[String: Any]] = [], isComplete: Bool? = nil, deletions: Int = 0, uuid: String = uuid()
  ) throws -> String {
    var json = fields
    if let objectID { json["objectId"] = objectID }
    json["className"] = className
    json["__complete"] = isComplete ?? (objectID != nil)
    json["isDeletingEventually"] = deletions
    json["__operations"] = edits.isEmpty ? [Self.edits([:])] : edits
    try write(className, objectID, json, deletions, uuid)
    pinned.append(objectID.map { Self.pointer(className, $0) } ?? Self.offline(uuid))
    return uuid
  }

  /// The row of an object to which another one points, and that was never saved here.
  package func placeholder(_ className: String, uuid: String = uuid()) -> String {
    statements.append(
      "INSERT INTO ParseObjects(uuid, className) VALUES('\(uuid)', '\(className)');")
    return uuid
  }

  /// The note of a request that waits: 1 for a save, 2 for a delete, 3 for any other.
  package func wait(_ type: Int, for object: [String: Any]?) throws {
    var fields: [String: Any] = [
      "uuid": Self.uuid(), "type": type,
      "time": ["__type": "Date", "iso": "2026-03-01T12:00:00.000Z"],
    ]
    if let object { fields["object"] = object }
    if type == 3 { fields["command"] = ["httpPath": "functions/hello", "httpMethod": "POST"] }
    try write(
      "_EventuallyPin", nil,
      [
        "className": "_EventuallyPin", "__complete": false, "isDeletingEventually": 0,
        "__operations": [Self.edits(fields)],
      ], 0, Self.uuid())
  }

  /// Writes any text as the content of an object.
  package func pin(_ className: String, _ objectID: String?, text: String) {
    let uuid = Self.uuid()
    _ = placeholder(className, uuid: uuid)
    let id = objectID.map { ", objectId = \(Self.quoted($0))" } ?? ""
    statements.append(
      "UPDATE ParseObjects SET json = \(Self.quoted(text))\(id) WHERE uuid = '\(uuid)';")
  }

  private func write(
    _ className: String, _ objectID: String?, _ json: [String: Any], _ deletions: Int,
    _ uuid: String
  ) throws {
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: json, options: .sortedKeys),
      as: UTF8.self)
    _ = placeholder(className, uuid: uuid)
    let id = objectID.map { ", objectId = \(Self.quoted($0))" } ?? ""
    statements.append(
      "UPDATE ParseObjects SET className = '\(className)', json = \(Self.quoted(text))\(id) WHERE uuid = '\(uuid)';"
    )
    statements.append(
      "INSERT OR IGNORE INTO Dependencies(key, uuid) VALUES ('\(uuid)', '\(uuid)');")
    if deletions > 0 {
      statements.append(
        "UPDATE ParseObjects SET isDeletingEventually = \(deletions) WHERE uuid = '\(uuid)';")
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// Writes the file, with the pin that has all objects.
  @discardableResult
  package func write(to url: URL) throws -> URL {
    let pin = Self.uuid()
    try write(
      "_Pin", nil,
      [
        "className": "_Pin", "__complete": false, "isDeletingEventually": 0,
        "__operations": [Self.edits(["_name": "_default", "_objects": pinned])],
      ], 0, pin)
    try? FileManager.default.removeItem(at: url)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", "-bail", url.path(percentEncoded: false)]
    let (input, errors) = (Pipe(), Pipe())
    (process.standardInput, process.standardError) = (input, errors)
    try process.run()
    let text = "BEGIN;\n" + statements.joined(separator: "\n") + "\nCOMMIT;\n"
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0, message.isEmpty else {
      throw Failure(description: String(decoding: message, as: UTF8.self))
    }
    return url
  }
}
