// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Decides what the list of an owner's members changes in the store; a pure function.
///
/// A list may be short: the user may not read a member, or the owner, at that moment. So a pair that is not listed counts as
/// gone only if the server was asked for it once more, together with both records.
package struct MemberPlanner {
  /// A change of the row of a pair.
  package enum Step: Sendable, Equatable {
    /// The server has a pair without a row.
    case insert(MemberPair)
    /// The server does not have the pair of a row, or another row has it.
    case remove(Record)
    /// The server has the pair of a new row.
    case adopt(OutboxEntry, Record, MemberPair)
    /// The server does not have the pair that the app removed.
    case settle(OutboxEntry)
    /// A late removal took a pair along that the app had added again.
    case addAgain(OutboxEntry, Record)
    /// The owner of an addition that the server refused is there again, or has changed.
    case retry(OutboxEntry)
    /// The server has a pair whose row the app removed before any request had named it: a copy of the store sent it.
    case withdraw(MemberPair)

    package var removes: Bool { if case .remove = self { true } else { false } }
  }

  package struct Plan: Sendable, Equatable {
    package var steps: [Step] = []
    /// The members that this user may not read, and that the store does not have: the server may list them once they
    /// are here.
    package var hidden: Set<String> = []
    /// Whether a later list says the same, unless the owner changes.
    package var isComplete = true
  }

  /// The facts about pairs that were not listed.
  package struct Proof: Sendable {
    /// Pairs that the server does not have.
    package var absent: Set<MemberPair>
    /// Pairs whose members this user may not read, although the owner is there.
    package var hidden: Set<MemberPair>
    /// Those of their members that the store has.
    package var kept: Set<String>
    /// Those of their members that the app deleted, and that an undo may bring back.
    package var returning: Set<String>

    package init(
      absent: Set<MemberPair> = [], hidden: Set<MemberPair> = [], kept: Set<String> = [],
      returning: Set<String> = []
    ) {
      self.absent = absent
      self.hidden = hidden
      self.kept = kept
      self.returning = returning
    }
  }

  private let owner: String
  private let listed: [String]
  private let shown: Set<String>
  private let formerlyHidden: Set<String>
  private let rows: [(row: Record, pair: MemberPair)]
  private let unsent: UnsentMembers
  private let withdrawn: Set<MemberPair>
  private let removals: [MemberPair: OutboxEntry]

  /// - Parameters:
  ///   - owner: The owner's object id.
  ///   - listed: The members that the server listed.
  ///   - formerlyHidden: The members that could not be read at an earlier list.
  ///   - rows: The rows of the owner's pairs.
  ///   - unsent: The unsent changes of pairs.
  ///   - withdrawn: The pairs that the app removed before any request had named them, since the last list.
  package init(
    owner: String, listed: [String], formerlyHidden: Set<String>, rows: [Record],
    unsent: UnsentMembers, withdrawn: Set<MemberPair> = []
  ) {
    self.owner = owner
    self.listed = listed
    shown = Set(listed)
    self.formerlyHidden = formerlyHidden
    self.rows = rows.compactMap { row in MemberPair(row.fields).map { (row, $0) } }
    self.unsent = unsent
    self.withdrawn = withdrawn
    removals = unsent.removals(of: owner)
  }

  /// The pairs that are not listed and that something depends on: the server has to be asked for them once more.
  package var missing: Set<MemberPair> {
    var missing = Set(formerlyHidden.map { MemberPair(owner: owner, member: $0) })
    for (row, pair) in rows where isSettled(row) || isOvertaken(row) { missing.insert(pair) }
    for (pair, entry) in removals where entry.isUntried { missing.insert(pair) }
    missing.formUnion(waiting)
    return missing.filter { !shown.contains($0.member) }
  }

  /// - Parameter proof: The facts about the pairs in `missing`.
  /// - Returns: The steps for the pairs, and what the list leaves open.
  package func plan(_ proof: Proof) -> Plan {
    var plan = Plan()
    var present = Set<String>()
    for (row, pair) in rows where isSettled(row) {
      if shown.contains(pair.member) {
        // A second row of one pair says nothing.
        if !present.insert(pair.member).inserted { plan.steps.append(.remove(row)) }
      } else if leaves(pair, proof) {
        plan.steps.append(.remove(row))
      }
    }
    for (row, pair) in rows where !isSettled(row) {
      let isFirst = present.insert(pair.member).inserted
      guard let entry = unsent.entries[row.localID] else { continue }
      if shown.contains(pair.member) {
        // `MemberSettlement` joins the others.
        guard isFirst, entry.isUnsentAddition, removals[pair] == nil else { continue }
        plan.steps.append(.adopt(entry, row, pair))
      } else if isOvertaken(row), proof.absent.contains(pair) {
        plan.steps.append(.addAgain(entry, row))
      } else if entry.waitsForOwner, proof.absent.contains(pair) || proof.hidden.contains(pair) {
        plan.steps.append(.retry(entry))
      }
    }
    for (pair, entry) in removals.sorted(by: { $0.key.member < $1.key.member })
    where entry.isUntried && proof.absent.contains(pair) {
      plan.steps.append(.settle(entry))
    }
    plan.steps += listed.filter { !present.contains($0) }
      .map { MemberPair(owner: owner, member: $0) }
      .filter { removals[$0] == nil && !unsent.edited.contains($0) }
      .map { withdrawn.contains($0) ? .withdraw($0) : .insert($0) }
    note(missing.subtracting(proof.absent).subtracting(waiting), proof, in: &plan)
    return plan
  }

  /// The pairs of additions that wait for their owner.
  private var waiting: Set<MemberPair> {
    Set(rows.filter { unsent.entries[$0.row.localID]?.waitsForOwner == true }.map(\.pair))
  }

  /// Remembers pairs of which nobody knows whether the server has them.
  private func note(_ unknown: Set<MemberPair>, _ proof: Proof, in plan: inout Plan) {
    for pair in unknown {
      if proof.hidden.contains(pair), !proof.kept.contains(pair.member) {
        plan.hidden.insert(pair.member)
      } else {
        plan.isComplete = false
      }
    }
  }

  /// Whether a row goes whose pair is not listed.
  ///
  /// It goes with a member that is not here any more, unless the app may bring that one back.
  private func leaves(_ pair: MemberPair, _ proof: Proof) -> Bool {
    if proof.absent.contains(pair) { return true }
    return proof.hidden.contains(pair) && !proof.kept.contains(pair.member)
      && !proof.returning.contains(pair.member)
  }

  private func isSettled(_ row: Record) -> Bool {
    row.createdAt != nil && unsent.entries[row.localID] == nil
  }

  /// Whether a late removal may have taken the pair of a row along.
  private func isOvertaken(_ row: Record) -> Bool {
    guard let entry = unsent.entries[row.localID] else { return false }
    return entry.state == .confirming && entry.hasLateDelete
  }
}

extension OutboxEntry {
  /// The server's number for a record that is not there, or that the user may not change.
  private static let codeWithoutOwner = 101

  /// Whether the server refused it because it did not have the owner, or did not let the user change it.
  fileprivate var waitsForOwner: Bool {
    guard kind == .create, case .parked(let refusal) = state else { return false }
    return refusal.reason == .refused && refusal.code == Self.codeWithoutOwner
  }

  /// Whether it is a removal that cannot have reached the server.
  ///
  /// No request of it has left, or the server has refused each one.
  fileprivate var isUntried: Bool {
    kind == .delete && attempts.isEmpty && state != .sending && state != .inDoubt
  }

  /// Whether it is an addition without an open request.
  ///
  /// No request has tried it, or the server has answered each one.
  ///
  /// A removal among its attempts may still arrive, and take the pair along.
  fileprivate var isUnsentAddition: Bool {
    kind == .create && !hasUnresolvedAttempts && state != .sending && state != .inDoubt
      && attempts.allSatisfy { $0.kind == .create }
  }
}
