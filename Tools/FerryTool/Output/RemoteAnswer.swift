// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The server's answer about a record beside the values here, or why there is none.
enum RemoteAnswer: Sendable {
  case answered(RemoteRecord)
  /// The server did not answer, for this reason.
  case unreachable(String)
  /// `--offline` was given.
  case notAsked

  /// Whether the server can be asked for more.
  var isReached: Bool {
    if case .answered = self { true } else { false }
  }

  /// The answer for people, beside the row and its unsent change.
  func lines(row: Record?, change: PendingChange?, isMember: Bool = false) -> [String] {
    switch self {
    case .answered(.shown) where isMember: return ["The server has the member."]
    case .answered(.notShown) where isMember:
      return ["The server does not have the member, or this user may not read owner or member."]
    case .answered(.shown(let fields, let version)):
      let names = Set(fields.names).union(row?.fields.names ?? [])
        .union(change?.base.names ?? []).sorted()
      if version == row?.version, fields == row?.fields {
        return ["The server has the same version and the same values."]
      }
      return ["The server now, version \(version.rawValue):"]
        + names.map { Self.line(of: $0, remote: fields, row: row, change: change) }
    case .answered(.notShown) where row != nil && row?.version == nil:
      return ["The server shows no such record yet."]
    case .answered(.notShown):
      return [
        "The server shows no such record. It is gone or was never there, or this user may not read it."
      ]
    case .answered(.unreadable(let reason)):
      return ["The server's record does not fit ferry.json: \(reason)"]
    case .answered(.refused(let reason)): return [reason]
    case .unreachable(let reason):
      return [
        "The server was not reached, so its values and what the next sync does are not known. \(reason)"
      ]
    case .notAsked:
      return [
        "The server was not asked, so its values and what the next sync does are not known."
      ]
    }
  }

  private static func line(
    of name: String, remote: Fields, row: Record?, change: PendingChange?
  ) -> String {
    let text = "    \(name): \(ConflictText.text(remote[name]))"
    guard let row else { return text }
    let (here, there) = (row.fields[name] ?? .null, remote[name] ?? .null)
    if here == there { return "\(text), as here" }
    let isEdited = change?.fields.contains(name) ?? false
    return "\(text), here \(ConflictText.text(here))"
      + (isEdited ? ", the server had \(ConflictText.text(change?.base[name]))" : "")
  }

  /// The answer for programs.
  func json(row: Record?, isMember: Bool = false) -> JSONMessage {
    switch self {
    case .answered(.shown(let fields, let version)):
      return message("shown").with("version", isMember ? nil : .string(version.rawValue))
        .with("values", .object(fields.values))
        .with("differing", row.map { .texts(fields.differing(from: $0.fields)) })
    case .answered(.notShown): return message("not-shown")
    case .answered(.unreadable(let reason)):
      return message("unreadable").with("reason", .string(reason))
    case .answered(.refused(let reason)): return message("refused").with("reason", .string(reason))
    case .unreachable(let reason): return message("unreachable").with("reason", .string(reason))
    case .notAsked: return message("not-asked")
    }
  }

  private func message(_ answer: String) -> JSONMessage {
    JSONMessage("remote", ["answer": .string(answer)])
  }
}

extension Fields {
  /// The names of the fields that have another value there.
  fileprivate func differing(from others: Fields) -> [String] {
    Set(names).union(others.names)
      .filter { self[$0] ?? .null != others[$0] ?? .null }.sorted()
  }
}
