// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Carries out what a planner decided about the pairs of owners, without those that a rule of another program refuses.
struct MemberSteps {
  let context: ClassContext
  let membership: Membership
  /// The rules that were met, by the ids of pairs.
  let refusals = StoreRefusals<String>()

  /// The results, to be reported after the commit.
  struct Done {
    fileprivate var actions: [SyncAction] = []
    fileprivate var refused = 0
    fileprivate var rule: String?
  }

  private var className: String { context.entity.name }

  /// Takes the steps of one owner.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - created: When the owner was created.
  ///   - transaction: The transaction.
  ///   - done: Gains what was done.
  /// - Returns: Whether a rule refused one of them.
  /// - Throws: `StoreError` for anything else.
  func take(
    _ steps: [MemberPlanner.Step], createdAt created: Timestamp,
    in transaction: any SyncTransaction,
    _ done: inout Done
  ) throws(StoreError) -> Bool {
    guard !steps.isEmpty else { return false }
    if !refusals.goesOneByOne {
      let attempt = try refusals.attempt(nil, in: transaction) { () throws(StoreError) in
        try carryOut(steps, createdAt: created, in: transaction)
      }
      if case .success(let actions) = attempt {
        done.actions += actions
        return false
      }
    }
    let before = done.refused
    for step in steps {
      let attempt = try refusals.attempt(step.objectID, in: transaction) { () throws(StoreError) in
        try carryOut([step], createdAt: created, in: transaction)
      }
      switch attempt {
      case .success(let actions): done.actions += actions
      case .failure(let error):
        done.refused += 1
        if done.rule == nil { done.rule = try transaction.rule(of: error, on: className) }
      }
    }
    return done.refused > before
  }

  /// Reports what was done.
  func report(_ done: Done) {
    context.ledger.act(done.actions)
    guard let rule = done.rule else { return }
    context.stage.notice(
      SyncNotice(
        .rowRefused, className: className,
        "The server changed members of \(membership.ownerClass).\(membership.field), and \(rule) keeps "
          + "\(done.refused.counted("row")) of \(className) as before. Everything else went on, and nothing was lost. Drop the "
          + "rule; each sync tries again."))
  }

  private func carryOut(
    _ steps: [MemberPlanner.Step], createdAt created: Timestamp, in transaction: any SyncTransaction
  ) throws(StoreError) -> [SyncAction] {
    var actions: [SyncAction] = []
    var gone: [Record] = []
    var new: [MemberPair] = []
    for step in steps {
      switch step {
      case .insert(let pair): new.append(pair)
      case .remove(let row): gone.append(row)
      case .settle(let entry): try transaction.keep(entry, isDone: true)
      case .retry(var entry):
        entry.retry()
        try transaction.put(entry)
      case .adopt(let entry, let row, let pair):
        try adopt(entry, row, as: pair, createdAt: created, in: transaction)
      case .addAgain(var entry, let row):
        let isDone = entry.confirmAbsent(
          listingStartedAt: Timestamp(milliseconds: 0),
          maximumRequestDuration: context.options.maximumRequestDuration,
          duplicatesSought: true, current: row.contents)
        try transaction.recreate(row.unknownToServer)
        try transaction.keep(entry, isDone: isDone)
      case .withdraw(let pair): try withdraw(pair, createdAt: created, in: transaction)
      }
    }
    if !gone.isEmpty { try transaction.remove(gone.map(\.localID), from: className) }
    actions += gone.map { action(.remove, $0.localID, $0.objectID) }
    let ids = try transaction.apply(new.map { row(of: $0, createdAt: created) }, to: className)
    return actions + zip(new, ids).map { action(.insert, $1, $0.objectID) }
  }

  /// Takes up the removal of a pair that the server has after all.
  private func withdraw(
    _ pair: MemberPair, createdAt created: Timestamp, in transaction: any SyncTransaction
  ) throws(StoreError) {
    let gone = Record(
      className: className, localID: try transaction.newLocalID(of: className),
      objectID: pair.objectID, fields: membership.fields(of: pair), createdAt: created)
    try transaction.put(
      OutboxEntry(deleting: gone, foldedThrough: try transaction.foldedThrough()))
  }

  /// Lets a new row be the one of a pair that the server has.
  private func adopt(
    _ entry: OutboxEntry, _ row: Record, as pair: MemberPair, createdAt created: Timestamp,
    in transaction: any SyncTransaction
  ) throws(StoreError) {
    guard try transaction.rival(for: pair.objectID, of: entry.key) == nil else { return }
    var entry = try transaction.bind(entry, to: pair.objectID, createdAt: created)
    let isDone =
      entry.attempts.isEmpty
      || entry.resolvePresent(
        version: nil, createdAt: created, remote: membership.fields(of: pair), current: row.contents
      )
    try transaction.keep(entry, isDone: isDone)
  }

  private func row(of pair: MemberPair, createdAt created: Timestamp) -> ImportRow {
    let fields = membership.fields(of: pair)
    return ImportRow(
      objectID: pair.objectID, createdAt: created, version: nil, acl: .null,
      values: context.entity.fields.map { fields[$0.name] ?? .null })
  }

  private func action(
    _ kind: SyncAction.Kind, _ localID: LocalID, _ objectID: String
  ) -> SyncAction {
    SyncAction(
      kind, in: .importing, className: className, localID: localID, objectID: objectID)
  }
}

extension MemberPlanner.Step {
  /// The id of the pair's row.
  fileprivate var objectID: String {
    switch self {
    case .insert(let pair), .adopt(_, _, let pair), .withdraw(let pair): pair.objectID
    case .remove(let row), .addAgain(_, let row): row.objectID
    case .settle(let entry), .retry(let entry): entry.objectID
    }
  }
}
