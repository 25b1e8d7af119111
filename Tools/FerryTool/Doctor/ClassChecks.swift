// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The permissions of one class as the server's answers show them: to read and to count.
struct ClassChecks {
  var className: String
  var findings: ServerExamination

  var checks: [Check] {
    guard let read else { return [] }
    return [read, read.verdict == .ok || read.verdict == .notice ? count : nil]
      .compactMap(\.self)
  }

  private var read: Check? {
    let name = "read \(className)"
    switch findings.rows(of: className) {
    case .notAsked: return nil
    case .answer(let rows) where rows.isEmpty:
      if case .answer(let classes) = findings.indexes {
        guard classes[className] == nil else {
          return Check(name, .ok, "Allowed; the class is empty.")
        }
        let meant = Suggestion.nearest(to: className, among: classes.keys.sorted())
        return Check(
          name, .notice, "The server has no class \(className).",
          advice: (meant.map { "Perhaps you mean \($0). " } ?? "")
            + "Correct the name in ferry.json, or create the class: a sync has nothing to fetch.")
      }
      return Check(
        name, .notice,
        "Allowed, but the server shows no row: the class is empty, does not exist, or shows nothing to "
          + "this client.",
        advice:
          "If there should be rows, check the name of the class, the ACLs of its rows, and the user."
      )
    case .answer: return Check(name, .ok, "Allowed.")
    case .failed(let error):
      return Check(name, failing: Failure(error))
    case .refused(let error): return refusal(error, name)
    }
  }

  private func refusal(_ error: ParseError, _ name: String) -> Check? {
    // Said of the server as a whole.
    guard findings.isParseServer else { return nil }
    return switch error.meaning {
    case .unauthorized, .wrongURL, .notParse: nil
    // Said of the session.
    case .loginNeeded where findings.refusesSession: nil
    case .forbidden:
      Check(
        name, .problem(.noPermission),
        "Not allowed (code 119): the class's permissions forbid \"find\", or the class does not exist "
          + "and clients may not create it.",
        advice:
          "Check the name, allow \"find\" in the class's permissions, or sync as a user or with a key that "
          + "may read it.")
    case .notFoundOrForbidden:
      Check(
        name, .problem(.noPermission), "Not allowed without a login (code 101).",
        advice: "Log in with ferry login, or name a \"sessionTokenFile\" in ferry.json.")
    default: Check(name, failing: Failure(error))
    }
  }

  private var count: Check? {
    let name = "count \(className)"
    switch findings.count(of: className) {
    case .notAsked: return nil
    case .answer(let count): return Check(name, .ok, "Allowed: \(count.counted("row", "rows")).")
    case .failed(let error):
      return Check(name, failing: Failure(error))
    case .refused(let error) where error.code == .operationForbidden:
      return Check(
        name, .notice,
        "Not allowed (code 119). A sync finds deleted records only by listing the class.",
        advice: "Allow \"count\" in the class's permissions.")
    case .refused(let error):
      return Check(name, .notice, "Counting fails. \(error.description)")
    }
  }
}

extension ServerExamination {
  /// Whether the server does not accept the session that it was asked about.
  fileprivate var refusesSession: Bool {
    if case .refused(let error) = user { error.meaning == .loginNeeded } else { false }
  }
}
