// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension Configuration {
  /// The text of the file, for people to edit.
  var text: String {
    var lines = [
      "  \"server\": \(quoted(server.absoluteString))",
      "  \"applicationId\": \(quoted(applicationID))",
    ]
    for role in KeyFile.Role.allCases {
      guard let path = keyFiles[role] else { continue }
      lines.append("  \"\(role.rawValue)\": \(quoted(path))")
    }
    lines.append("  \"classes\": \(SchemaWriter.text(entities, indentation: 2))")
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  private func quoted(_ text: String) -> String { WireJSON.text(.string(text)) }
}
