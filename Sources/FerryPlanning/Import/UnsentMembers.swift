// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The unsent changes of pairs, which win over any list until they are sent.
package struct UnsentMembers: Sendable {
  /// The changes of rows, also of rows that are gone.
  package let entries: [LocalID: OutboxEntry]
  /// Pairs whose rows another program has edited; the rows still have the ids of the pairs.
  let edited: Set<MemberPair>
  private let removals: [String: [MemberPair: OutboxEntry]]

  /// - Parameter entries: The unsent changes of a class of members.
  package init(_ entries: [OutboxEntry]) {
    self.entries = Dictionary(entries.map { ($0.localID, $0) }, uniquingKeysWith: { $1 })
    edited = Set(
      entries.lazy.filter { $0.kind == .update }.compactMap { MemberPair(objectID: $0.objectID) })
    removals = entries.reduce(into: [:]) { removals, entry in
      if let pair = entry.removedPair { removals[pair.owner, default: [:]][pair] = entry }
    }
  }

  /// The pairs of an owner that the app removed.
  func removals(of owner: String) -> [MemberPair: OutboxEntry] { removals[owner] ?? [:] }
}

extension OutboxEntry {
  /// The pair that the app removed; nil for any other change.
  package var removedPair: MemberPair? {
    switch kind {
    case .delete: MemberPair(base) ?? MemberPair(objectID: objectID)
    case .deleteAfterCreate: attempts.lazy.compactMap { MemberPair($0.sent) }.first
    case .create, .update: nil
    }
  }

  /// The id under which the server would have the record: a new member's follows from what was sent.
  package var lookupID: String {
    guard let attempt = attempts.last(where: { $0.kind == .create }), clientKey == nil,
      let pair = MemberPair(attempt.sent)
    else { return objectID }
    return pair.objectID
  }
}
