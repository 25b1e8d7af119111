// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension Configuration {
  /// Reads the text of the file.
  ///
  /// - Throws: `ConfigurationFault` that says where the text is not as it should be.
  init(reading bytes: Data) throws(ConfigurationFault) {
    do {
      self = try JSONReader().read(bytes) { try Configuration(root: $0) }
      try schema.validate()
    } catch let error as SchemaReadingError {
      let path = error.path.isEmpty ? "\"classes\"" : error.path.joined(separator: ".")
      throw ConfigurationFault(at: ["classes"] + error.path, in: bytes, "\(path) \(error.fault)")
    } catch let error as SchemaError {
      let problem = error.problems.first
      let path = [
        "classes", problem?.className, problem?.field.map { _ in "fields" }, problem?.field,
      ]
      let fault =
        "\(error)" + (error.problems.contains(where: \.isAboutNames) ? Self.namingHint : "")
      throw ConfigurationFault(at: path.compactMap(\.self), in: bytes, fault)
    } catch let error as Misplaced {
      throw ConfigurationFault(at: error.path, in: bytes, error.fault)
    } catch {
      throw ConfigurationFault(syntaxOf: bytes, error)
    }
  }

  private init(root: JSONElement) throws {
    guard let members = root.object else {
      throw Misplaced([], "the file has to be an object: { \"server\": ... }")
    }
    if let twin = members.duplicateKey {
      throw Misplaced([twin], "the key \(twin.quoted) is given twice")
    }
    let known = ["server", "applicationId", "classes"] + KeyFile.Role.allCases.map(\.rawValue)
    for member in members where !known.contains(member.name) {
      let meant = Suggestion.nearest(to: member.name, among: known)
        .map { "; the nearest known key is \($0.quoted)" }
      throw Misplaced([member.name], "\(member.name.quoted) is not a known key\(meant ?? "")")
    }
    let address = try Self.text("server", in: root["server"])
    guard let url = URL(string: address), url.host() != nil else {
      throw Misplaced(
        ["server"], "\"server\" has to be a full URL such as https://parse.example.com/1")
    }
    server = url
    applicationID = try Self.text("applicationId", in: root["applicationId"])
    for member in members {
      guard let role = KeyFile.Role(rawValue: member.name) else { continue }
      keyFiles[role] = try Self.text(member.name, in: member.value)
    }
    guard let classes = root["classes"] else { throw Misplaced([], "\"classes\" is missing") }
    entities = try SchemaReader.entities(byName: classes)
    guard !entities.isEmpty else { throw Misplaced(["classes"], "\"classes\" names no class") }
  }

  /// How `ferry.json` gives another name, which the sentences of a schema do not know.
  private static let namingHint =
    " In ferry.json, \"table\" in a class and \"column\" in a field set these names."

  private static func text(_ key: String, in element: JSONElement?) throws -> String {
    guard let element else { throw Misplaced([], "\(key.quoted) is missing") }
    guard let text = element.string, !text.isEmpty else {
      throw Misplaced([key], "\(key.quoted) has to be a text that is not empty")
    }
    return text
  }
}

/// Something that does not belong where it stands.
private struct Misplaced: Error {
  var path: [String]
  var fault: String

  init(_ path: [String], _ fault: String) {
    self.path = path
    self.fault = fault
  }
}

extension SchemaError.Problem {
  /// Whether another name of a table or column puts it right.
  var isAboutNames: Bool {
    [.columnName, .twinColumns, .tableName, .twinTables].contains(code)
  }
}
