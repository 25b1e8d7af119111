// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension OutboxEntry {
  /// Sentences on increments whose outcome nobody can find out, with the values on both sides, and what to do.
  ///
  /// - Parameter remote: The server's present values.
  /// - Returns: The sentences.
  func doubtfulIncrements(_ remote: Fields) -> String {
    let targets = attempts.reduce(into: Fields()) { targets, attempt in
      guard attempt.outcome == .unknown, let increments = attempt.increments else { return }
      targets = targets.merging(increments.targets)
    }
    let sentences = targets.names.map { name in
      let base = base[name] ?? .null
      let amount = Increment.amount(from: base, to: targets[name] ?? .null) ?? .null
      let present = (remote[name] ?? .null).nameForPeople
      return
        "\(name) had \(base.nameForPeople), the change adds \(amount.nameForPeople), and the server has \(present) now."
    }
    return
      "The answer to an addition was lost, and the record has changed since, so that nobody knows whether the server has "
      + "added it. \(sentences.joined(separator: " ")) The change is kept and not sent again, because it could then "
      + "count twice. Say whether it counts: decideIncrements(of:localID:counted:), \"ferry outbox counted\" or "
      + "\"ferry outbox not-counted\"."
  }

  /// A sentence on what an update adds to which fields; nil where it adds nothing.
  ///
  /// A plan has no other word for it, because only the server knows the sum.
  func additions(of attempt: Attempt) -> String? {
    guard attempt.kind == .update, let targets = attempt.increments?.targets else { return nil }
    let parts = targets.names.map { name in
      let amount = Increment.amount(from: base[name] ?? .null, to: targets[name] ?? .null) ?? .null
      return "\(amount.nameForPeople) to \(name)"
    }
    return "The server adds \(parts.joined(separator: " and "))."
  }
}
