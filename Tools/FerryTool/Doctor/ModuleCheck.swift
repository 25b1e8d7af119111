// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Ferry's Cloud Code as the server describes it, beside the classes that are declared with its functions.
struct ModuleCheck {
  var entities: [Entity]
  var findings: ServerExamination

  private static let name = "cloud code"

  /// Nil for a server without it, unless a class is declared with its functions.
  var check: Check? {
    switch findings.module {
    case .answer(nil): return missing
    case .answer(let module?): return module.isKnown ? known(module) : unknown(module)
    case .refused(let error) where error.meaning == .malformed && findings.isParseServer:
      return Check(
        Self.name, .notice,
        "The server has a function ferryModule that is not of Ferry's Cloud Code. Ferry does not use it."
          + comparing(declared))
    // Said of the server or of the session as a whole, or its routes leave functions out.
    case .notAsked, .failed, .refused: return nil
    }
  }

  /// The classes that are declared with one of the functions.
  private var declared: [String] {
    entities.map(\.name)
      .filter { declared(.deletionLog).contains($0) || declared(.cloudFunction).contains($0) }
  }

  private func declared(_ strategy: DeletionStrategy) -> [String] {
    entities.filter { $0.deletionStrategy == strategy }.map(\.name)
  }

  private var missing: Check? {
    guard !declared.isEmpty else { return nil }
    return Check(
      Self.name, .notice, "The server does not have Ferry's Cloud Code." + comparing(declared),
      advice:
        "Install the folder Tools/CloudCode on the server, or set \"deletions\": \"counting\".")
  }

  private func known(_ module: ServerModule) -> Check {
    let names = entities.map(\.name)
    let removed = names.filter(module.removedClasses.contains)
    let logged = names.filter(module.loggedClasses.contains)
    let read = declared(.deletionLog).filter(module.loggedClasses.contains)
    let asked = declared(.cloudFunction).filter(module.removedClasses.contains)
    let unread = logged.filter { !declared.contains($0) }
    let unlogged = declared(.deletionLog).filter { !read.contains($0) }
    let unknown = declared(.cloudFunction).filter { !asked.contains($0) }
    var finding = "Version \(module.version) of Ferry's Cloud Code."
    finding +=
      removed.isEmpty
      ? " It knows none of the classes."
      : " It says which records are gone of \(Self.list(removed))."
    if !logged.isEmpty {
      finding +=
        " It logs deletions of \(Self.list(logged)) for \(module.logDays.counted("day", "days"))."
    }
    if !read.isEmpty { finding += " Syncs read the log of \(Self.list(read))." }
    if !asked.isEmpty { finding += " Syncs ask it about \(Self.list(asked))." }
    if !unlogged.isEmpty { finding += " It has no log of \(Self.list(unlogged))." }
    if !unknown.isEmpty { finding += " Syncs cannot ask it about \(Self.list(unknown))." }
    let lacking = declared.filter { unlogged.contains($0) || unknown.contains($0) }
    let others = names.filter { !removed.contains($0) || unlogged.contains($0) }
    let advice = [
      others.isEmpty
        ? nil : "To include \(Self.list(others)), add to the option \"classes\" of the module.",
      unread.isEmpty
        ? nil
        : "To let syncs read the log of \(Self.list(unread)), set \"deletions\": \"deletionLog\" in ferry.json.",
    ]
    return Check(
      Self.name, lacking.isEmpty ? .ok : .notice, finding + comparing(lacking),
      advice: advice.compactMap(\.self).joined(separator: " "))
  }

  private func unknown(_ module: ServerModule) -> Check {
    Check(
      Self.name, .notice,
      "Version \(module.version) of Ferry's Cloud Code has the protocol \(module.protocolVersion), and this "
        + "Ferry knows \(ServerModule.knownProtocol). Ferry does not use it." + comparing(declared),
      advice: "Install the module that came with this version of Ferry.")
  }

  /// A sentence about classes that are declared with functions that the server does not have.
  private func comparing(_ names: [String]) -> String {
    names.isEmpty ? "" : " Syncs compare the counts of \(Self.list(names))."
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
