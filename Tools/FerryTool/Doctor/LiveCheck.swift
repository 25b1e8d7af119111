// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Whether the server takes the live queries of the classes.
struct LiveCheck {
  var classNames: [String]
  /// Nil where it was not asked.
  var findings: LiveExamination?

  private static let name = "live queries"

  var check: Check? {
    guard let findings else { return nil }
    if let failure = findings.failure {
      return Check(
        Self.name, .ok,
        "The server takes no live queries at its own address. \(failure) Syncs begin at their intervals.",
        advice:
          "To have them, set liveQuery.classNames and startLiveQueryServer on the server. Where they have another address, "
          + "give it to \"ferry watch\" by --live-address.")
    }
    let accepted = classNames.filter(findings.accepted.contains)
    var text =
      accepted.isEmpty
      ? "The server takes live queries."
      : "The server takes live queries of \(accepted.joined(separator: ", "))."
    for (name, reason) in findings.refused.sorted(by: { $0.key < $1.key }) {
      text += " It refuses \(name): \(reason)"
    }
    text += " It does not say which classes it publishes."
    return Check(
      Self.name, findings.refused.isEmpty ? .ok : .notice, text,
      advice:
        "The server's option liveQuery.classNames has to name each class. \"ferry watch --live\" uses them."
    )
  }
}
