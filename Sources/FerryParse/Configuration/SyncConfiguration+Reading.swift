// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import Foundation

extension SyncConfiguration {
  /// Reads the text of a `ferry.json` and checks the schema.
  ///
  /// - Parameter text: The contents of the file, in UTF-8.
  /// - Throws: `SyncConfigurationError`, which says where the text is not as it should be.
  public init(json text: Data) throws(SyncConfigurationError) {
    do {
      self = try JSONReader().read(text) { try SyncConfiguration(root: $0) }
      try schema.validate()
    } catch let error as SchemaReadingError {
      let path = error.path.isEmpty ? "\"classes\"" : error.path.joined(separator: ".")
      throw SyncConfigurationError(
        at: ["classes"] + error.path, in: text, "\(path) \(error.fault)")
    } catch let error as SchemaError {
      let problem = error.problems.first
      let part = problem?.isAboutIndexes == true ? "indexes" : problem?.field.map { _ in "fields" }
      let path = ["classes", problem?.className, part, problem?.field]
      let hint = error.problems.contains(where: \.isAboutLocalNames) ? Self.namingHint : ""
      throw SyncConfigurationError(at: path.compactMap(\.self), in: text, "\(error)\(hint)")
    } catch let error as Misplaced {
      throw SyncConfigurationError(
        at: error.path, in: text, error.fault, unknownKey: error.unknownKey)
    } catch {
      throw SyncConfigurationError(syntaxOf: text, error)
    }
  }

  private init(root: JSONElement) throws {
    guard let members = root.object else {
      throw Misplaced([], "the file has to be an object: { \"server\": ... }")
    }
    if let twin = members.duplicateKey {
      throw Misplaced([twin], "the key \"\(twin)\" is given twice")
    }
    for member in members where !Self.keys.contains(member.name) {
      throw Misplaced(
        [member.name], "\"\(member.name)\" is not a known key", unknownKey: member.name)
    }
    let address = try Self.text("server", in: root["server"])
    guard let url = URL(string: address), url.isServerAddress else {
      throw Misplaced(
        ["server"],
        "\"server\" has to be a full http or https URL such as https://parse.example.com/1")
    }
    let applicationID = try Self.text("applicationId", in: root["applicationId"])
    var keyFiles: [KeyRole: String] = [:]
    for member in members {
      guard let role = KeyRole(rawValue: member.name) else { continue }
      keyFiles[role] = try Self.text(member.name, in: member.value)
    }
    guard let classes = root["classes"] else { throw Misplaced([], "\"classes\" is missing") }
    let entities = try SchemaReader.entities(byName: classes)
    guard !entities.isEmpty else { throw Misplaced(["classes"], "\"classes\" names no class") }
    var schema = Schema(entities)
    schema.name = "ferry.json"
    self.init(server: url, applicationID: applicationID, keyFiles: keyFiles, schema: schema)
  }

  /// How the file gives another name, which the sentences of a schema do not know.
  private static let namingHint =
    " In ferry.json, \"table\" in a class and \"column\" in a field set these names."

  private static func text(_ key: String, in element: JSONElement?) throws -> String {
    guard let element else { throw Misplaced([], "\"\(key)\" is missing") }
    guard let text = element.string, !text.isEmpty else {
      throw Misplaced([key], "\"\(key)\" has to be a text that is not empty")
    }
    return text
  }
}

/// Something that does not belong in its place.
private struct Misplaced: Error {
  var path: [String]
  var fault: String
  var unknownKey: String?

  init(_ path: [String], _ fault: String, unknownKey: String? = nil) {
    self.path = path
    self.fault = fault
    self.unknownKey = unknownKey
  }
}
