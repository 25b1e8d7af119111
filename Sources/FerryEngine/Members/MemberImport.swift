// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Makes the rows of pairs what the server showed, except where the app's own changes are unsent.
struct MemberImport {
  let context: ClassContext
  let membership: Membership

  private var entity: Entity { context.entity }

  /// Writes the rows of some owners in one transaction, and the marks of those whose notes are full.
  ///
  /// - Parameters:
  ///   - lists: The owners, with their members.
  ///   - time: When the server answered, by its own clock; nil if it did not say.
  ///   - marks: The marks of all owners.
  ///   - next: The owner that is listed next; nil for the last ones.
  /// - Throws: `ClassError` if the server cannot be asked, or the store cannot be written.
  func take(
    _ lists: [MemberList], listedAt time: Timestamp?, _ marks: inout MemberMarks,
    writingMarksBefore next: StoredVersion?
  ) throws(ClassError) {
    let answer = try MemberLookup(context: context, membership: membership)
      .answer(about: missing(from: lists))
    try write(&marks) { transaction, steps, marks, done throws(StoreError) in
      try marks.withdrawn.read(in: transaction)
      let planners = try planners(of: lists, marks.withdrawn, in: transaction)
      let proof = try proof(of: answer, in: transaction)
      let plans = zip(lists, planners).map { (list: $0, plan: $1.plan(proof)) }
      var refused = Set<String>()
      // Rows go first: a unique index of the app may allow a member one owner at a time.
      for removes in [true, false] {
        for (list, plan) in plans {
          let isRefused = try steps.take(
            plan.steps.filter { $0.removes == removes },
            createdAt: list.owner.createdAt ?? .unknownPairTime, in: transaction, &done)
          if isRefused { refused.insert(list.owner.objectID) }
        }
      }
      for (list, plan) in plans {
        marks.note(
          list.owner, hidden: plan.hidden, listedAt: time,
          delay: context.options.maximumRequestDuration,
          isComplete: plan.isComplete && !refused.contains(list.owner.objectID))
      }
      try marks.write(in: transaction, besides: next)
    }
  }

  /// Changes rows and marks in one transaction, and reports what was done.
  private func write(
    _ marks: inout MemberMarks,
    _ body: (any SyncTransaction, MemberSteps, inout MemberMarks, inout MemberSteps.Done)
      throws(StoreError) -> Void
  ) throws(ClassError) {
    let steps = MemberSteps(context: context, membership: membership)
    let former = marks
    let (written, done) = try context.write(.full, leavingOut: steps.refusals) {
      transaction throws(StoreError) in
      var (marks, done) = (former, MemberSteps.Done())
      try transaction.fold()
      try body(transaction, steps, &marks, &done)
      return (marks, done)
    }
    marks = written
    steps.report(done)
  }

  /// Notes that all owners were listed, or have not changed.
  func noteAllListed(_ marks: inout MemberMarks) throws(ClassError) {
    // An owner that could not be asked about may have changed.
    guard marks.withdrawn.isOutdated,
      try context.state(.classState(membership.ownerClass)).failure == nil
    else { return }
    let former = marks
    marks = try context.write(.normal) { transaction throws(StoreError) in
      var marks = former
      try marks.withdrawn.noteRespected(in: transaction)
      return marks
    }
  }

  /// Writes marks that wait for others.
  func keep(_ marks: inout MemberMarks) throws(ClassError) {
    guard marks.isChanged else { return }
    let former = marks
    marks = try context.write(.normal) { transaction throws(StoreError) in
      var marks = former
      try marks.write(in: transaction)
      return marks
    }
  }

  /// The pairs of which the server has to be asked once more.
  private func missing(from lists: [MemberList]) throws(ClassError) -> Set<MemberPair> {
    try context.read { reader throws(StoreError) in
      try planners(of: lists, nil, in: reader).reduce(into: []) { $0.formUnion($1.missing) }
    }
  }

  private func planners(
    of lists: [MemberList], _ withdrawn: WithdrawnMembers?, in reader: any SyncReader
  ) throws(StoreError) -> [MemberPlanner] {
    let unsent = UnsentMembers(try reader.pendingEntries(of: entity.name))
    return try lists.map { list throws(StoreError) in
      let owner = Pointer(className: membership.ownerClass, objectID: list.owner.objectID)
      let rows = try reader.records(
        Query(entity.name, where: .field(Membership.owner, .equal, .pointer(owner))))
      return MemberPlanner(
        owner: list.owner.objectID, listed: list.members, formerlyHidden: list.formerlyHidden,
        rows: rows, unsent: unsent, withdrawn: withdrawn?.pairs ?? [])
    }
  }

  private func proof(
    of answer: MemberLookup.Answer, in reader: any SyncReader
  ) throws(StoreError) -> MemberPlanner.Proof {
    var proof = MemberPlanner.Proof(absent: answer.absent, hidden: answer.hidden)
    guard !answer.hidden.isEmpty else { return proof }
    let members = Set(answer.hidden.map(\.member)).sorted()
    proof.kept = Set(
      try reader.versions(of: membership.memberClass, objectIDs: members)
        .filter { $0.value.createdAt != nil }.keys)
    proof.returning = try reader.returning(members, of: membership.memberClass)
    return proof
  }
}

extension MemberImport {
  // MARK: Owners that are gone

  /// Removes the rows of owners that the store does not have any more, and their marks.
  ///
  /// Unsent changes stay. So do the rows of an owner that the app deleted, as long as an undo may bring it back.
  func forget(_ owners: Set<String>, _ marks: inout MemberMarks) throws(ClassError) {
    for owners in owners.sorted().chunks(of: 500) {
      try context.checkCancellation()
      try write(&marks) { transaction, steps, marks, done throws(StoreError) in
        let here = try transaction.versions(of: membership.ownerClass, objectIDs: owners)
        let returning = try transaction.returning(owners, of: membership.ownerClass)
        for owner in owners where here[owner] == nil && !returning.contains(owner) {
          let pointer = Pointer(className: membership.ownerClass, objectID: owner)
          let rows = try transaction.records(
            Query(entity.name, where: .field(Membership.owner, .equal, .pointer(pointer))))
          let unsent = Set(
            try transaction.outboxEntries(of: entity.name, localIDs: rows.map(\.localID))
              .map(\.localID))
          let gone = rows.filter { !unsent.contains($0.localID) }
          let isRefused = try steps.take(
            gone.map { .remove($0) }, createdAt: .unknownPairTime, in: transaction, &done)
          if !isRefused, gone.count == rows.count { marks.forget(owner) }
        }
        try marks.write(in: transaction)
      }
    }
    try keep(&marks)
  }
}

extension SyncReader {
  /// Those of some records that the app deleted, and that an undo may bring back.
  fileprivate func returning(
    _ objectIDs: [String], of className: String
  ) throws(StoreError) -> Set<String> {
    let unsent = try outboxEntries(of: className, objectIDs: objectIDs).map(\.objectID)
    return Set(unsent).union(try lastKnownFields(of: className, objectIDs: objectIDs).keys)
  }
}
