// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// All that was found, for people and for programs.
struct DoctorReport: Sendable {
  var server: String
  var applicationID: String
  var checks: [Check]
  /// The writes that went to the server.
  var written: [String] = []

  /// The exit code of the first problem; a notice or an unknown is no failure.
  var exitCode: ExitCode {
    for check in checks { if case .problem(let code) = check.verdict { return code } }
    return .success
  }

  func lines(width: Int?) -> [String] {
    let names = min(checks.map(\.name.count).max() ?? 0, 24)
    let indent = 9 + names + 2
    // A narrow terminal has no room for columns.
    let isNarrow = (width ?? 79) < indent + 20
    let lines = checks.flatMap { check -> [String] in
      let start = check.verdict.word.padded(to: 9) + check.name.padded(to: names) + "  "
      let margin = isNarrow ? 2 : indent
      let text = HelpText.wrapped(check.finding, indent: margin)
      let advice = check.advice.isEmpty ? [] : HelpText.wrapped(check.advice, indent: margin)
      let margins = String(repeating: " ", count: margin)
      let commands = check.commands.map { "\(margins)  \($0)" }
      let fits = !isNarrow && check.name.count <= names
      let head =
        fits
        ? [start + (text.first ?? "").drop { $0 == " " }] + text.dropFirst()
        : ["\(check.verdict.word.padded(to: 9))\(check.name)"] + text
      return head + advice + commands
    }
    return lines + ["", summary]
      + written.flatMap { HelpText.wrapped($0, indent: 2) }
  }

  private var summary: String {
    func count(_ word: String) -> Int { checks.count { $0.verdict.word == word } }
    let parts = [
      count("problem").counted("problem", "problems"), count("notice").counted("notice", "notices"),
      "\(count("unknown").grouped) unknown",
    ]
    let writes =
      written.isEmpty ? "Nothing was written to the server." : "Written to the server:"
    return "\(parts.joined(separator: ", ")). \(writes)"
  }

  var json: JSONMessage {
    JSONMessage(
      "doctor",
      [
        "server": .string(server), "application_id": .string(applicationID),
        "checks": .array(checks.map(\.json)), "written": .texts(written),
        "exit_code": .integer(Int64(exitCode.rawValue)),
      ])
  }
}
