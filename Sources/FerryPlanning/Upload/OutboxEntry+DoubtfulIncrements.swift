// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension OutboxEntry {
  /// Sentences on increments whose outcome nobody can find out, with the values on both sides, and what to do.
  ///
  /// - Parameter remote: The server's present values.
  /// - Returns: The sentences.
  func doubtfulIncrements(_ remote: Fields) -> String {
    let sentences = undecidedFields.sorted().map { name in
      let present = (remote[name] ?? .null).nameForPeople
      return
        "\(name) had \((base[name] ?? .null).nameForPeople), the change \(doubtfulEdit(of: name)), and the server has "
        + "\(present) now."
    }
    let happened =
      isOfBackup
      ? "The store went back to a backup, so that a change of a number may have been sent before"
      : "The answer to a change of a number was lost"
    return
      "\(happened), and the record has changed since, so that nobody knows whether the server has carried it out. "
      + "\(sentences.joined(separator: " ")) The change is kept and not sent again, because it could then "
      + "count twice. If the server's number includes it, say so: \"ferry outbox counted \(place)\". If not: \"ferry outbox "
      + "not-counted \(place)\". In an app: decideIncrements(of:localID:counted:)."
  }

  /// The flags that name the row on the command line.
  private var place: String { "--class \(className) --id \(localID)" }

  /// Whether the store went back to a backup, so that an addition may have been sent before.
  private var isOfBackup: Bool {
    attempts.contains { $0.isAdditionInDoubt && $0.increments?.isOfBackup == true }
  }

  /// Why it waits for what became of an addition, after the store went back to a backup; nil if it does not.
  package var waitAfterBackup: String? {
    guard state == .inDoubt, isOfBackup else { return nil }
    return
      "The store went back to a backup, so that an addition to a number may have been sent before. Ferry waits until no "
      + "such request can be at work any more; a sync after that looks at the record."
  }

  /// The effect of attempts of unknown outcome on a number, as the end of a sentence.
  private func doubtfulEdit(of name: String) -> String {
    let newest = attempts.last { $0.isAdditionInDoubt && $0.increments?.targets[name] != nil }
    let target = newest?.increments?.targets[name] ?? .null
    guard newest?.sent[name] == nil,
      let amount = Increment.amount(from: base[name] ?? .null, to: target)
    else { return target.isNull ? "clears it" : "sets it to \(target.nameForPeople)" }
    return "adds \(amount.nameForPeople)"
  }

  /// A sentence on what an update adds to which fields; nil where it adds nothing.
  ///
  /// A plan has no other word for it, because only the server knows the sum.
  func additions(of attempt: Attempt) -> String? {
    guard attempt.kind == .update, let targets = attempt.increments?.targets else { return nil }
    let names = targets.names.filter { attempt.sent[$0] == nil }
    guard !names.isEmpty else { return nil }
    let parts = names.map { name in
      let amount = Increment.amount(from: base[name] ?? .null, to: targets[name] ?? .null) ?? .null
      return "\(amount.nameForPeople) to \(name)"
    }
    return "The server adds \(parts.joined(separator: " and "))."
  }
}
