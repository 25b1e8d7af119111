// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The content of one attempt to send an entry.
package struct Attempt: Sendable, Equatable {
  package enum Outcome: String, Sendable {
    /// Under way, or the process ended before the answer came.
    case unknown
    /// Timed out, and acknowledged or settled otherwise since: it may still commit late.
    case late
  }

  package var kind: OutboxEntry.Kind
  /// The values that were sent, by field; null where a field was cleared.
  package var sent: Fields
  /// The edits of numbers whose outcome the version alone proves; nil for none.
  ///
  /// An update that sends such a number itself, such as one that clears it, has the field in `sent`, too.
  package var increments: SentIncrements?
  /// The elements that were added to arrays and removed from them; nil for none.
  package var elements: SentElements?
  /// Pointers left out to break a cycle; sent by a later update.
  package var withheld: Set<String>
  /// The edits the attempt contained: what came later was edited meanwhile.
  package var token: HistoryToken
  /// When it left, by the environment's clock: settling counts from here.
  package var startedAt: Timestamp
  package var outcome: Outcome = .unknown
  /// Whether the server may still be at it, so that a later answer does not settle this attempt.
  package var mayStillRun = true

  package init(
    kind: OutboxEntry.Kind, sent: Fields, withheld: Set<String> = [], token: HistoryToken,
    startedAt: Timestamp
  ) {
    self.kind = kind
    self.sent = sent
    self.withheld = withheld
    self.token = token
    self.startedAt = startedAt
  }

  /// The row's values that it carried, also those to which an increment leads.
  package var carried: Fields {
    increments.map { sent.merging($0.targets) } ?? sent
  }

  /// The sent values that the server certainly has if it shows them.
  var plain: Fields {
    guard let targets = increments?.targets else { return sent }
    return sent.only(Set(sent.values.keys).subtracting(targets.values.keys))
  }

  /// Whether nobody knows yet whether the server has added what it carried.
  package var isAdditionInDoubt: Bool {
    kind == .update && outcome == .unknown && increments != nil
  }

  /// Whether a record shows all values that were sent.
  ///
  /// The access list of a create proves nothing: many servers have a trigger that sets it.
  package func isShown(by remote: Fields) -> Bool {
    let proof = kind == .create ? sent.withoutAccessList : sent
    return proof.values.allSatisfy { (remote[$0] ?? .null) == $1 }
  }

  /// Whether the server surely is not at it any more, so that it cannot take effect after this time.
  package func isOver(at time: Timestamp, maximumRequestDuration: Duration) -> Bool {
    startedAt.adding(maximumRequestDuration) <= time
  }
}
