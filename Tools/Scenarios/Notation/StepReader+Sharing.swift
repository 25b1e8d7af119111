// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Who may read and change a row from now on, as the app says.
enum Sharing: Sendable {
  /// A role may be named besides, which adds nothing to the rights.
  case openToEveryone(role: String?)
  /// The others keep their rights.
  case readableByEveryone
  /// The list names nobody, which a store refuses.
  case readableByNobody
  case privateTo(String)
}

// Steps in which an app changes the access list of rows.
extension Sharing {
  /// The list after an earlier one; `id` says under which id the server knows a user.
  func list(after earlier: AccessList?, id: (String) throws -> String) rethrows -> AccessList {
    switch self {
    case .openToEveryone(nil): return .open
    case .openToEveryone(let role?): return [.everyone: .readWrite, .role(role): .readWrite]
    case .readableByNobody: return AccessList()
    case .privateTo(let user): return [.user(try id(user)): .readWrite]
    case .readableByEveryone:
      var list = earlier ?? AccessList()
      list[.everyone] = .read
      return list
    }
  }
}

extension StepReader {
  /// `n1 is open to everyone`, `n1 is open to everyone and role Editors`, `n1 is readable by everyone`, `n1 is readable by nobody` or `n1 is private to anna`; nil for any other step.
  func sharingStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    guard case .word(let word) = try reader.peek(), isKnown(word) else { return nil }
    var behind = reader
    let names = try knownNames(&behind)
    guard try behind.takes("is") else { return nil }
    reader = behind
    if try reader.takes(phrase: "open to everyone") {
      let role = try reader.takes(phrase: "and role") ? try reader.word("a role") : nil
      return .share(names, .openToEveryone(role: role))
    }
    if try reader.takes(phrase: "readable by everyone") {
      return .share(names, .readableByEveryone)
    }
    if try reader.takes(phrase: "readable by nobody") { return .share(names, .readableByNobody) }
    guard try reader.takes(phrase: "private to") else {
      throw reader.expected(
        "\"open to everyone\", \"readable by everyone\", \"readable by nobody\" or \"private to USER\""
      )
    }
    return .share(names, .privateTo(try reader.word("a user")))
  }
}
