// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Stage 4: creates new local rows on the server, parents before children.
struct PostCreatedStage: Stage {
  let name: StageName? = .postCreated

  func run(in context: StageContext) throws(SyncError) {
    let totals = try UnsentTotals(.create, in: context).of(context.schema, areMembers: false)
    guard !totals.counts.isEmpty else { return }
    var run = CreateRun(context: context, totals: totals)
    try run.holdClassesWithoutCreator(among: totals.counts)
    try run.sendAll()
    try run.noteClassesForUsersOnly()
  }
}

/// The creates of one run, sent in passes through the outbox.
private struct CreateRun {
  let context: StageContext
  private var order: CreateOrder
  private var progress: UploadProgress
  private var named: NamedCreates
  private let files: FileUploads
  /// Creates whose minted ids the server refused once; they are sent again without.
  private var askedAgain: Set<RecordKey> = []

  init(context: StageContext, totals: UnsentTotals) {
    self.context = context
    order = CreateOrder(upTo: totals.last)
    progress = UploadProgress(of: totals.counts)
    named = NamedCreates(context: context)
    files = FileUploads(.postCreated, in: context)
  }

  /// Holds classes back whose new records belong to the user who creates them, while nobody is logged in.
  mutating func holdClassesWithoutCreator(among counts: [String: Int]) throws(SyncError) {
    guard try context.state(.binding)?.userID == nil else { return }
    let classes = context.schema.entities.filter { entity in
      entity.defaultAccess.needsUser && counts[entity.name] != nil
    }
    for entity in classes { context.notice(.creatorNeeded(entity.name)) }
    order.hold(classes: Set(classes.map(\.name)))
  }

  mutating func sendAll() throws(SyncError) {
    while true {
      try sendPass()
      switch order.endPass() {
      case .done: return
      case .pass: continue
      case .breakCircle(let start):
        if let opener = try opener(from: start) {
          try send([opener])
        } else {
          // The app has changed a pointer of the circle meanwhile; the next run looks again.
          order.hold([start])
        }
      }
    }
  }

  /// Keeps what the server said about creates, so that plans know it, and the time of the next sync.
  func noteClassesForUsersOnly() throws(SyncError) {
    let known = try context.read { reader throws(StoreError) in try reader.classesForUsersOnly() }
    guard known != order.closedClasses else { return }
    try context.write(.normal) { transaction throws(StoreError) in
      for className in known.symmetricDifference(order.closedClasses).sorted() {
        try transaction.change(.classState(className)) {
          $0.needsLoginToCreate = order.closedClasses.contains(className)
        }
      }
    }
  }

  private mutating func sendPass() throws(SyncError) {
    // The order changes with each page, and so do the entries that it holds: a reference to the method
    // would keep the order of the beginning.
    try OutboxPage.forEach(in: context, unless: { isHeld($0) }) { page throws(SyncError) in
      let (asked, failed) = try named.join(among: page.entries.filter { !isHeld($0) })
      guard asked.isEmpty else {
        // The page is read again, because some of them may be no creates any more.
        order.hold(failed)
        return order.postpone()
      }
      let wave = page.planner.creates()
      order.take(wave)
      try Blocking(context: context, stage: .postCreated).record(wave.stuck)
      try send(wave.writes, known: page.known)
      try sendFiles(of: wave)
    }
  }

  /// Sends new files; the next pass sends their records.
  private mutating func sendFiles(of wave: UploadPlanner.Wave) throws(SyncError) {
    guard !wave.files.isEmpty else { return }
    let arrived = try files.send(wave.files)
    order.hold(wave.files.keys.filter { !arrived.contains($0) })
    order.postpone()
  }

  private func isHeld(_ entry: OutboxEntry) -> Bool {
    entry.kind == .create && !order.mayGo(entry.key)
  }

  /// The record that breaks the circle to which a waiting record leads.
  private func opener(from start: RecordKey) throws(SyncError) -> UploadPlanner.Write? {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      var opener = try Cycles.opener(from: start) { key throws(StoreError) in
        let entries = try transaction.entries([key])
        let page = try OutboxPage(
          Array(entries.values), in: context, transaction, unless: isHeld)
        return page.planner.creates().waiting[key] ?? []
      }
      if let key = opener?.key {
        opener?.plannedThrough = try transaction.entries([key])[key]?.foldedThrough
      }
      return opener
    }
  }

  private mutating func send(
    _ writes: [UploadPlanner.Write], known: KnownChanges = KnownChanges()
  ) throws(SyncError) {
    guard !writes.isEmpty else { return }
    let (sent, remainder) = try sendProbing(writes, known)
    try OutcomeResolution(context: context, stage: .postCreated).resolve(remainder.inDoubt)
    for className in remainder.classesNeedingLogin.subtracting(order.closedClasses).sorted() {
      context.notice(.creatorUnknown(className))
    }
    order.hold(classes: remainder.classesNeedingLogin)
    let left = try context.read { reader throws(StoreError) in try reader.entries(sent.map(\.key)) }
      .values
      .filter { $0.kind == .create }
    // The server has since been configured to refuse minted ids, so the engine finds out again.
    let unusable = remainder.refusedIDs.subtracting(askedAgain)
    order.hold(left.map(\.key).filter { !unusable.contains($0) })
    if sent.count < writes.count || !unusable.isEmpty { order.postpone() }
    guard !unusable.isEmpty else { return }
    askedAgain.formUnion(unusable)
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.capabilities) { $0.allowsCustomIDs = nil }
    }
  }

  /// Sends writes; only the first one while it is unknown whether the server accepts minted ids.
  ///
  /// The next pass sends the others.
  private mutating func sendProbing(
    _ writes: [UploadPlanner.Write], _ known: KnownChanges
  ) throws(SyncError) -> (sent: [UploadPlanner.Write], UploadRemainder) {
    let capabilities = try context.state(.capabilities)
    guard capabilities.allowsCustomIDs != nil else {
      let probe = writes[0]
      return ([probe], try CustomIDProbe(context: context).send(probe, &progress))
    }
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: writes)
    let uploader = Uploader(.postCreated, in: context, usesBatches: usesBatches)
    return (writes, try uploader.send(writes, &progress, known: known))
  }
}

extension SyncNotice {
  fileprivate static func creatorNeeded(_ className: String) -> SyncNotice {
    SyncNotice(
      .loginNeeded, className: className,
      "New records of \(className) belong to the user who creates them, and nobody is logged in. The new rows wait, and "
        + "everything else goes on. Log in, and sync again.")
  }

  fileprivate static func creatorUnknown(_ className: String) -> SyncNotice {
    SyncNotice(
      .loginNeeded, className: className,
      "The server takes creates of \(className) only from users who are logged in. The new rows wait, and everything "
        + "else goes on. Log in as a user who may create them, and sync again.")
  }
}
