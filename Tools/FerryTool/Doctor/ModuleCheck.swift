// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Ferry's Cloud Code as the server describes it, if it has it.
struct ModuleCheck {
  var classNames: [String]
  var findings: ServerExamination

  /// Nil for a server without it: a sync needs none.
  var check: Check? {
    let name = "cloud code"
    switch findings.module {
    case .notAsked, .failed, .answer(nil): return nil
    case .answer(let module?): return module.isKnown ? known(module, name) : unknown(module, name)
    case .refused(let error) where error.meaning == .malformed && findings.isParseServer:
      return Check(
        name, .notice,
        "The server has a function ferryModule that is not of Ferry's Cloud Code. Ferry does not use it."
      )
    // Said of the server or of the session as a whole, or its routes leave functions out.
    case .refused: return nil
    }
  }

  private func known(_ module: ServerModule, _ name: String) -> Check {
    let removed = classNames.filter(module.removedClasses.contains)
    let logged = classNames.filter(module.loggedClasses.contains)
    let others = classNames.filter { !removed.contains($0) }
    var finding = "Version \(module.version) of Ferry's Cloud Code."
    finding +=
      removed.isEmpty
      ? " It knows none of the classes."
      : " It says which records are gone of \(Self.list(removed))."
    if !logged.isEmpty {
      finding +=
        " It logs deletions of \(Self.list(logged)) for \(module.logDays.counted("day", "days"))."
    }
    finding += " A sync finds deletions by counts all the same."
    return Check(
      name, .ok, finding,
      advice: others.isEmpty
        ? "" : "To include \(Self.list(others)), add to the option \"classes\" of the module.")
  }

  private func unknown(_ module: ServerModule, _ name: String) -> Check {
    Check(
      name, .notice,
      "Version \(module.version) of Ferry's Cloud Code has the protocol \(module.protocolVersion), and this "
        + "Ferry knows \(ServerModule.knownProtocol). Ferry does not use it.",
      advice: "Install the module that came with this version of Ferry.")
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
