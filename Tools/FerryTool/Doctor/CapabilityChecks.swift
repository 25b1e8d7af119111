// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The server's capabilities as its answers show them: batches, ids chosen by clients.
struct CapabilityChecks {
  var findings: ServerExamination
  var classNames: [String]
  /// Whether a write was asked for.
  var isWriting = false

  var checks: [Check] { [batch, customIDs].compactMap(\.self) }

  /// The class whose batch was asked for; nil if there is none.
  private var className: String? {
    classNames.first { if case .notAsked = findings.batch(of: $0) { false } else { true } }
  }

  private var batchAnswer: ServerExamination.Finding<Int> {
    className.map(findings.batch) ?? .notAsked
  }

  private var batch: Check? {
    let name = "batches"
    // A batch shows something only where a single request of the same class is answered.
    guard let className, findings.hasAnswered(rowsOf: className) else { return nil }
    switch batchAnswer {
    case .notAsked: return nil
    case .answer: return Check(name, .ok, "Batches work.")
    case .refused(let error) where error.status == 500:
      return Check(
        name, .notice,
        "Every batch fails (HTTP 500), while single requests work. Ferry sends one request for each "
          + "change, which is slower.",
        advice:
          "Parse Server 9.10.0 with version 2.3.0 of the package \"router\" does this. Add this to "
          + "the server's package.json and install again:",
        commands: [#""overrides": { "router": "2.2.0" }"#])
    case .refused(let error) where ![.unauthorized, .wrongURL, .notParse].contains(error.meaning):
      return Check(
        name, .notice,
        "Batches fail, so Ferry sends one request for each change. \(error.description)"
      )
    case .refused: return nil
    case .failed(let error): return Check(name, .notice, error.message)
    }
  }

  private var customIDs: Check? {
    let name = "client ids"
    let field = SyncOptions().clientKeyField
    switch findings.customID {
    case .notAsked:
      guard isAnswered else { return nil }
      guard !isWriting else {
        return Check(
          name, .unknown,
          "Nothing was written, because the server shows no class to this client.")
      }
      return Check(
        name, .unknown, "Only a write can show whether clients may choose object ids.",
        advice: "To create one record and delete it again:", commands: ["ferry doctor --write"])
    case .answer:
      return Check(
        name, .ok, "Clients may choose object ids, so creates cannot duplicate.\(leftovers)")
    case .refused(let error) where error.code == .invalidKeyName:
      return Check(
        name, .notice,
        "The server chooses object ids, and Ferry finds its own creates again by the field \(field).",
        advice:
          "Set allowCustomObjectId on the server. Otherwise add the String field \(field) to each class "
          + "in which devices create records, or let clients add fields.")
    case .refused(let error) where error.code == .operationForbidden:
      return Check(
        name, .unknown,
        "The server does not let this client create a class for the probe (code 119).",
        advice: "Ask with the master key.")
    case .refused(let error): return Check(name, .unknown, error.description + leftovers)
    case .failed(let error): return Check(name, .unknown, error.message + leftovers)
    }
  }

  private var isAnswered: Bool {
    guard findings.isParseServer else { return false }
    return switch batchAnswer {
    case .answer, .refused: true
    case .failed, .notAsked: false
    }
  }

  /// The things that a probe may have left on the server.
  private var leftovers: String {
    switch findings.probeRemoval {
    case .answer, .notAsked: break
    case .refused(let error) where error.code == .objectNotFound: break
    case .refused, .failed:
      return " The probe's record may still be in the class \(ServerExamination.probeClass)."
    }
    switch findings.probeClassRemoval {
    case .answer, .notAsked: return ""
    case .refused, .failed:
      return " The empty class \(ServerExamination.probeClass) may still be there."
    }
  }
}
