// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

extension SyncConfiguration {
  /// The text of the file, for people to edit: one field a line, in the order of the schema.
  public var json: String {
    var lines = [
      "  \"server\": \(Value.string(server.absoluteString).json)",
      "  \"applicationId\": \(Value.string(applicationID).json)",
    ]
    for role in KeyRole.allCases {
      guard let path = keyFiles[role] else { continue }
      lines.append("  \"\(role.rawValue)\": \(Value.string(path).json)")
    }
    lines.append("  \"classes\": \(SchemaWriter.text(schema.entities, indentation: 2))")
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }
}
