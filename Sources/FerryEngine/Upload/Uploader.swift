// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Sends a wave of writes, with several batches in flight.
///
/// Before the first byte of a batch leaves, a transaction records that it is being sent. It also records the answers
/// that have come. Creates of a quick server share their transactions: one begins several batches (`BegunBatches`).
/// Updates and deletes are checked first: one find asks for the versions of their records, and a record that another
/// client has changed waits for the next pull. The thread that calls `send` drives everything.
final class Uploader {
  private enum Step {
    case check([UploadPlanner.Write], LookupListing)
    case write([PreparedWrite])
  }

  private let context: StageContext
  private let stage: StageName
  private let requests: ParseRequests
  private var ledger: UploadLedger
  private var queue: ArraySlice<UploadPlanner.Write> = []
  private var tags = RequestTags<Step>()
  private var batchSize: RequestSize
  private var ending: SyncError?
  private var held = HeldAnswers()
  private var begun: BegunBatches
  /// Whether a lost answer could be looked up, so that answers may be recorded a little later.
  private var mayHold = false
  /// The classes of which no further create is sent, because nobody is logged in.
  private var leftOut: Set<String> = []

  init(_ stage: StageName, in context: StageContext, usesBatches: Bool) {
    self.context = context
    self.stage = stage
    requests = context.requests
    ledger = UploadLedger(stage: stage, context: context)
    batchSize = RequestSize(usesBatches ? context.options.batchSize : 1)
    begun = BegunBatches(pace: context.options.batchesInFlight)
  }

  /// Sends writes and records what became of each.
  ///
  /// - Parameters:
  ///   - writes: The writes to send, in this order.
  ///   - progress: How far the stage has come; goes on from there.
  ///   - known: The entries and rows of the writes, as far as nobody has written to them since.
  /// - Returns: The records about which the server has to be asked, and why.
  /// - Throws: The error that ends the run; the store has recorded all that was sent until then.
  func send(
    _ writes: [UploadPlanner.Write], _ progress: inout UploadProgress,
    known: KnownChanges = KnownChanges()
  ) throws(SyncError) -> UploadRemainder {
    queue = writes[...]
    ledger.known = known
    ledger.progress = progress
    mayHold = try mayLookUp(writes)
    let lanes = context.options.batchesInFlight
    begun = BegunBatches(pace: mayHold ? max(progress.pace, lanes) : lanes)
    defer {
      progress = ledger.progress
      progress.pace = begun.pace
    }
    var first: [HTTPRequest] = []
    for _ in 0..<lanes {
      guard let request = try next() else { break }
      first.append(request)
    }
    do {
      try context.transport.run(first, cancellation: context.cancellation) {
        request, result throws(SyncError) in
        try self.completed(request, result).map { [$0] } ?? []
      }
    } catch {
      // The error that ended the requests says more than one of the store would.
      try? recordAll()
      throw error
    }
    try recordAll()
    ledger.report()
    if let ending { throw ending }
    try context.checkCancellation()
    return ledger.remainder
  }

  private func completed(
    _ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> HTTPRequest? {
    guard let step = tags.take(request) else { return nil }
    switch step {
    case .check(let writes, let listing): return try checked(writes, listing, result)
    case .write(let batch): return try written(batch, result)
    }
  }

  private var now: Timestamp { context.environment.now() }
  private var isEnding: Bool { ending != nil || context.cancellation.isCancelled }

  /// The next request of a lane; nil if nothing is left or the run is ending.
  private func next() throws(SyncError) -> HTTPRequest? {
    guard stage == .postCreated else { return try nextChecked() }
    while !isEnding, !(begun.isEmpty && queue.isEmpty) {
      if begun.isEmpty || begun.areStale(at: now) { try recordAndBegin([]) }
      // None is begun if nothing was left to send of the writes.
      guard let batch = begun.takeFirst() else { continue }
      if let request = try request(for: batch) { return request }
    }
    return nil
  }

  private func nextChecked() throws(SyncError) -> HTTPRequest? {
    while let chunk = takeChunk() {
      if let request = try check(chunk) { return request }
    }
    return nil
  }

  /// Writes of one class, up to the size of a batch.
  private func takeChunk() -> [UploadPlanner.Write]? {
    guard !isEnding, let first = queue.first else { return nil }
    let size = first.goesAlone ? 1 : batchSize.current
    let chunk = queue.prefix(size).prefix {
      $0.key.className == first.key.className && $0.goesAlone == first.goesAlone
    }
    queue = queue.dropFirst(chunk.count)
    return Array(chunk)
  }
}

extension Uploader {
  // MARK: Checking versions

  private func check(_ writes: [UploadPlanner.Write]) throws(SyncError) -> HTTPRequest? {
    guard let first = writes.first, let entity = context.schema.entity(first.key.className) else {
      return nil
    }
    // A pair has no version, and each write of it can be repeated.
    guard entity.membership == nil else { return try begin(writes) }
    var ids = writes.compactMap { ledger.known.objectID(of: $0.key) }
    if ids.count < writes.count {
      let entries = try context.read { reader throws(StoreError) in
        try reader.entries(writes.map(\.key))
      }
      ids = writes.compactMap { entries[$0.key]?.objectID }
    }
    let listing = LookupListing(
      entity: entity, field: "objectId", values: ids,
      keys: [], clientKeyField: context.options.clientKeyField)
    return try ask(writes, listing)
  }

  private func ask(
    _ writes: [UploadPlanner.Write], _ listing: LookupListing
  ) throws(SyncError) -> HTTPRequest? {
    guard let query = listing.nextQuery, let className = writes.first?.key.className else {
      return try begin(writes)
    }
    return tagged(try context.request(query, of: className), .check(writes, listing))
  }

  /// The page that a check brought.
  private func page(
    _ result: Result<HTTPResponse, HTTPError>, of entity: Entity
  ) throws(ClassError) -> ParsePage {
    let response = try StageContext.checked(result)
    var reader = PageReader(entity, clientKeyField: context.options.clientKeyField)
    do {
      return try reader.read(response.body)
    } catch {
      throw ClassError(error)
    }
  }

  private func checked(
    _ writes: [UploadPlanner.Write], _ listing: LookupListing,
    _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> HTTPRequest? {
    guard let entity = writes.first.flatMap({ context.schema.entity($0.key.className) }) else {
      return try next()
    }
    var listing = listing
    do {
      try listing.absorb(page(result, of: entity))
    } catch {
      switch error {
      case .endsRun(let error):
        ending = ending ?? error
        return nil
      case .failsClass(let failure):
        try context.fail(
          entity.name,
          "The versions of \(entity.name) could not be asked for, so its changes wait for the next "
            + "sync. \(failure)")
        return try next()
      }
    }
    guard listing.nextQuery == nil else { return try ask(writes, listing) }
    let versions = Dictionary(
      listing.found.map { ($0.objectID, $0.version) }, uniquingKeysWith: { first, _ in first })
    let batch = try record(takeHeld(unless: mayHold && isHoldShort)) {
      transaction throws(StoreError) in
      try transaction.fold()
      let current = try ledger.stillCurrent(writes, versions, in: transaction)
      return try ledger.begin(current, in: transaction)
    }
    if let request = try request(for: batch) { return request }
    return try next()
  }

  // MARK: Writing

  /// Records that these writes are being sent, and makes their request.
  private func begin(_ writes: [UploadPlanner.Write]) throws(SyncError) -> HTTPRequest? {
    guard !writes.isEmpty else { return nil }
    let batch = try context.write(.full) { transaction throws(StoreError) in
      try ledger.begin(writes, in: transaction)
    }
    return try request(for: batch)
  }

  private func request(for batch: [PreparedWrite]) throws(SyncError) -> HTTPRequest? {
    guard let only = batch.first else { return nil }
    let request: HTTPRequest
    do {
      request =
        try batch.count > 1
        ? requests.batch(writing: batch.map(\.operation)) : requests.write(only.operation)
    } catch {
      try context.write(.full) { transaction throws(StoreError) in
        try ledger.refuse(batch, error, in: transaction)
      }
      return nil
    }
    return tagged(request, .write(batch))
  }

  private func written(
    _ batch: [PreparedWrite], _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> HTTPRequest? {
    let outcome = BatchOutcome(
      batch.map(\.operation), result, now: context.environment.now())
    if outcome.wantsSmaller { batchSize.halve() } else { batchSize.grow() }
    ending = ending ?? outcome.ending
    let answered = AnsweredBatch(writes: batch.map(\.sent), outcome: outcome)
    held.hold(answered, at: now)
    let isShort = mayHold && answered.isDone && isHoldShort
    if stage == .postCreated {
      // One transaction records all answers and begins the batches that leave next.
      if outcome.wantsSmaller { try takeBackBegun() }
      if !isShort || begun.isEmpty { try recordAndBegin(held.takeAll()) }
    } else if !isShort || queue.isEmpty {
      // The transaction that begins the next batch records these, once it has been checked.
      try recordHeld()
    }
    return try next()
  }

  private func tellProgress(of className: String) {
    let progress = ledger.progress
    context.progress(
      stage, className, done: progress.done[className] ?? 0, of: progress.total[className])
  }

  private func tagged(_ request: HTTPRequest, _ step: Step) -> HTTPRequest {
    tags.tagged(request, step)
  }
}

extension Uploader {
  // MARK: Answers that wait for their record

  /// Whether this client may ask for records of the classes, so that a lost answer could be looked up.
  ///
  /// A delete is recorded at once, because the guard of the next ones counts it.
  private func mayLookUp(_ writes: [UploadPlanner.Write]) throws(SyncError) -> Bool {
    guard stage != .deleteDeleted else { return false }
    for className in Set(writes.map(\.key.className)) {
      let failure = try context.state(.classState(className)).failure
      if failure?.isForbidden == true { return false }
    }
    return true
  }

  /// Sends no further creates of classes of which the server takes none.
  private func leaveOutRefusedClasses() throws(SyncError) {
    let classes = ledger.remainder.classesNeedingLogin
    guard !classes.subtracting(leftOut).isEmpty else { return }
    leftOut = classes
    try takeBackBegun()
    queue.removeAll { classes.contains($0.key.className) }
  }

  /// Whether few answers have waited, not for long, and the run goes on.
  private var isHoldShort: Bool { !isEnding && held.isShort(at: now) }

  private func takeHeld(unless mayWait: Bool) -> [AnsweredBatch] {
    mayWait ? [] : held.takeAll()
  }

  private func recordHeld() throws(SyncError) {
    guard !held.isEmpty else { return }
    try record(held.takeAll()) { _ in }
  }

  /// Records what is left in the end.
  private func recordAll() throws(SyncError) {
    try recordHeld()
    try takeBackBegun()
  }

  /// Records answers and begins further batches; takes those back that have waited for too long.
  private func recordAndBegin(_ answered: [AnsweredBatch]) throws(SyncError) {
    if isEnding || begun.areStale(at: now) { try takeBackBegun() }
    var chunks: [[UploadPlanner.Write]] = []
    if begun.isEmpty {
      let count = begun.next(at: now, ahead: mayHold)
      while chunks.count < count, let chunk = takeChunk() { chunks.append(chunk) }
    }
    guard !answered.isEmpty || !chunks.isEmpty else { return }
    let batches = try record(answered) { transaction throws(StoreError) in
      var batches: [[PreparedWrite]] = []
      for chunk in chunks { batches.append(try ledger.begin(chunk, in: transaction)) }
      return batches
    }
    begun.add(batches.filter { !$0.isEmpty }, at: now)
    try leaveOutRefusedClasses()
  }

  /// Takes batches back that have not left: their writes wait as before.
  private func takeBackBegun() throws(SyncError) {
    let batches = begun.takeAll()
    guard !batches.isEmpty else { return }
    let again = try context.write(.full) { transaction throws(StoreError) in
      try ledger.takeBack(batches, in: transaction)
    }
    queue = again + queue
  }

  /// Records answers in one transaction, and what else belongs into it.
  ///
  /// If a rule of another program keeps a row as it is, each write is recorded for itself. If the rule ends the
  /// transaction, the others are recorded in another one.
  private func record<Result>(
    _ answered: [AnsweredBatch],
    and more: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(SyncError) -> Result {
    let mark = ledger.mark
    var isRepeated = false
    let (again, result) = try context.write(.full, leavingOut: ledger.refusals) {
      transaction throws(StoreError) in
      if isRepeated { ledger.takeBack(to: mark) }
      isRepeated = true
      let again = try ledger.record(answered, in: transaction)
      return (again, try more(transaction))
    }
    queue = again + queue
    var told: String?
    for className in answered.compactMap({ $0.writes.first?.key.className }) where className != told
    {
      tellProgress(of: className)
      told = className
    }
    return result
  }
}
