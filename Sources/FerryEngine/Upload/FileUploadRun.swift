// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The new files of a page of changes on their way to the server.
struct FileUploadRun {
  /// A field of a row that holds a new file.
  fileprivate struct Place: Hashable {
    let key: RecordKey
    let field: String
  }

  /// A request under way.
  private struct Transfer {
    let file: File
    let unsent: UnsentFile
    let source: FileBodySource
  }

  private let context: StageContext
  private let stage: StageName
  private let blocking: Blocking
  private let server: String
  private let keys: [RecordKey]
  private var places: [File: [Place]] = [:]
  /// The files that nobody has begun to send, the last one first.
  private var queue: [File]
  private var tags = RequestTags<Transfer>()
  private let arrived: ArrivedFiles
  private var failed: Set<RecordKey> = []
  private var ending: SyncError?

  init(
    _ stage: StageName, _ files: [RecordKey: [String: File]], after arrived: ArrivedFiles,
    in context: StageContext
  ) {
    self.context = context
    self.stage = stage
    self.arrived = arrived
    blocking = Blocking(context: context, stage: stage)
    server = context.server.identity
    keys = files.keys.sorted()
    queue = []
    for key in keys {
      for (field, file) in (files[key] ?? [:]).sorted(by: { $0.key < $1.key }) {
        if places[file] == nil { queue.insert(file, at: 0) }
        places[file, default: []].append(Place(key: key, field: field))
      }
    }
  }

  mutating func sendAll() throws(SyncError) -> [RecordKey] {
    var first: [HTTPRequest] = []
    while first.count < context.options.batchesInFlight, let request = try next() {
      first.append(request)
    }
    try context.transport.run(first, cancellation: context.cancellation) {
      request, result throws(SyncError) in
      try completed(request, result).map { [$0] } ?? []
    }
    if let ending { throw ending }
    try context.checkCancellation()
    return keys.filter { !failed.contains($0) }
  }

  // MARK: Sending

  /// The request of the next file; nil if none is left, or the run is ending.
  private mutating func next() throws(SyncError) -> HTTPRequest? {
    while ending == nil, !context.cancellation.isCancelled, let file = queue.popLast() {
      if let request = try request(for: file) { return request }
    }
    return nil
  }

  /// Notes that a file leaves, and makes its request; nil if none is needed, or none can be made.
  private mutating func request(for file: File) throws(SyncError) -> HTTPRequest? {
    if let sent = try sent(file) {
      try name(file, as: sent)
      return nil
    }
    guard let unsent = file.unsent else {
      try park(file, .malformedNewFile(file))
      return nil
    }
    guard unsent.bytes <= context.options.largestUpload else {
      try park(file, .tooLargeToSend(unsent, limit: context.options.largestUpload))
      return nil
    }
    guard let content = context.files.content(unsent) else {
      try park(file, .contentGone(unsent))
      return nil
    }
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.sentFiles) { $0.begin(file, at: context.environment.now()) }
    }
    let source = FileBodySource(unsent, at: content.url) { [events = context.events] in
      events.send(.sendingFile($0))
    }
    var request: HTTPRequest
    do {
      request = try context.requests.upload(unsent.name, type: unsent.type, source)
    } catch {
      throw SyncError(error)
    }
    // A large file takes its time; a silent server ends the request before.
    request.limits.totalTime = .seconds(7 * 86_400)
    return tags.tagged(request, Transfer(file: file, unsent: unsent, source: source))
  }

  /// The server's file for a new one that was sent before; nil for others.
  private func sent(_ file: File) throws(SyncError) -> File? {
    if let sent = arrived[file] { return sent }
    return try context.state(.sentFiles).file(for: file, on: server)
  }

  // MARK: Answers

  private mutating func completed(
    _ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> HTTPRequest? {
    guard let transfer = tags.take(request) else { return nil }
    guard !transfer.source.isDamaged else {
      try park(transfer.file, .contentGone(transfer.unsent))
      return try next()
    }
    let response: HTTPResponse
    do {
      response = try result.get()
    } catch {
      try failed(transfer, error)
      return try next()
    }
    do {
      let file = try ParseResponses().uploaded(response)
      // The name goes with the content before any row has it.
      context.files.keep(transfer.unsent, file, context.server, context.environment.now())
      try name(transfer.file, as: file)
      report(transfer)
    } catch let error as ParseError {
      try failed(transfer, error)
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(.localStorage, "\(error)")
    }
    return try next()
  }

  /// Puts the server's name into the fields that hold the new file, and notes it, in one transaction.
  private mutating func name(_ file: File, as sent: File) throws(SyncError) {
    let places = places[file] ?? []
    let now = context.environment.now()
    let refusals = StoreRefusals<RecordKey>()
    let outcome = try context.write(.full, leavingOut: refusals) { transaction throws(StoreError) in
      try transaction.fold()
      let outcome = try transaction.name(places, file, as: sent, leavingOut: refusals)
      try transaction.change(.sentFiles) {
        $0.succeed(file, as: sent, on: server, isNamed: outcome.isNamed, at: now)
      }
      return outcome
    }
    if outcome.isNamed { arrived[file] = sent }
    failed.formUnion(outcome.kept.map(\.key))
    tellKept(outcome.kept)
  }

  /// Says which rows a rule of another program keeps from naming the server's file.
  private func tellKept(_ kept: [OutboxEntry]) {
    for entry in kept {
      guard let rule = entry.rule else { continue }
      context.notice(
        SyncNotice(
          .rowRefused, className: entry.className, localID: entry.localID,
          objectID: entry.permanentID,
          "The server has the new file of a record of \(entry.className), and \(rule) keeps its row from "
            + "naming it. The change is kept and not sent, and everything else went on. Drop the rule; each "
            + "sync tries again."))
    }
  }

  private func report(_ transfer: Transfer) {
    guard let place = places[transfer.file]?.first else { return }
    let unsent = transfer.unsent
    context.ledger.act(
      SyncAction(
        .upload, in: stage, className: place.key.className, localID: place.key.localID,
        fields: [place.field], reason: "The file \(unsent.name), \(unsent.bytes) bytes."))
  }

  // MARK: Failures

  private mutating func failed(_ transfer: Transfer, _ error: HTTPError) throws(SyncError) {
    switch error.outcome {
    case .notSent, .answered: try note { $0.fail(transfer.file) }
    // The app or the system ended the request, so the server has not failed at it.
    case .unknown where error.code == .cancelled: try note { $0.lose(transfer.file) }
    case .unknown: try count(transfer, error.message, mayStillRun: true)
    }
    if error.code != .timeout && error.code != .connectionLost {
      ending = ending ?? SyncError(error)
    }
  }

  private mutating func failed(_ transfer: Transfer, _ error: ParseError) throws(SyncError) {
    switch error.consequenceForUpload {
    case .park: try park(transfer.file, .refusedFile(transfer.unsent, error))
    case .askForLogin: try askForLogin(transfer, error)
    case .pause:
      let pause = error.retryAfter ?? OutboxEntry.pauseForServer
      try pauseAll(with: transfer, for: pause, error.happeningInFull) { $0.fail(transfer.file) }
    case .endRun:
      try note { $0.fail(transfer.file) }
      ending = ending ?? SyncError(endingRun: error)
    case .doubt(let mayStillRun):
      try count(transfer, error.description, mayStillRun: mayStillRun)
    }
  }

  private func note(_ change: (inout SentFiles) -> Void) throws(SyncError) {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.sentFiles, change)
    }
  }

  /// Counts a failure that may pass; parks the records if it has not for too often.
  private mutating func count(
    _ transfer: Transfer, _ message: String, mayStillRun: Bool
  ) throws(SyncError) {
    let places = places[transfer.file] ?? []
    let limit = context.options.attemptLimit
    let now = context.environment.now()
    let (waiting, parked, keys) = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      try transaction.change(.sentFiles) { $0.lose(transfer.file) }
      let keys = try transaction.holders(of: transfer.file, among: places)
      var stuck: [RecordKey: OutboxEntry.State] = [:]
      var waiting: [OutboxEntry] = []
      for var entry in try transaction.entries(keys).values.sorted(by: { $0.key < $1.key }) {
        entry.fileFailed(at: now)
        try transaction.put(entry)
        if !mayStillRun, entry.failures.count >= limit {
          stuck[entry.key] = .parked(.exhausted(attempts: entry.failures.count, message))
        } else {
          waiting.append(entry)
        }
      }
      return (waiting, try blocking.record(stuck, in: transaction), keys)
    }
    failed.formUnion(keys)
    blocking.report(parked)
    report(
      waiting: waiting, "Its new file \(transfer.unsent.name) is not on the server yet. \(message)")
  }

  private func report(waiting entries: [OutboxEntry], _ reason: String) {
    context.ledger.act(
      entries.map {
        SyncAction(
          .wait, in: stage, className: $0.className, localID: $0.localID,
          objectID: $0.permanentID, fields: $0.changed, reason: reason)
      })
  }

  /// Lets new files wait until a user is logged in who may send some.
  private mutating func askForLogin(
    _ transfer: Transfer, _ error: ParseError
  ) throws(SyncError) {
    let party = try FilesAfterLoginStage.party(in: context)
    try pauseAll(
      with: transfer, for: FilesAfterLoginStage.longestPause, error.happeningInFull
    ) { files in
      files.fail(transfer.file)
      files.refuse(party: party)
    }
    context.notice(
      SyncNotice(
        .loginNeeded,
        "The server takes new files only from users who are logged in. The records with new files wait, and "
          + "everything else goes on. Log in as a user who may send files, and sync again."))
  }

  /// Sends no further file in this run; the records of all that are left pause, and other changes go on.
  private mutating func pauseAll(
    with transfer: Transfer, for pause: Duration, _ message: String,
    noting change: (inout SentFiles) -> Void
  ) throws(SyncError) {
    let left = [transfer.file] + queue.reversed()
    queue = []
    let end = context.environment.now().adding(pause)
    let places = places
    let waiting = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      try transaction.change(.sentFiles, change)
      var waiting: [OutboxEntry] = []
      for file in left {
        let keys = try transaction.holders(of: file, among: places[file] ?? [])
        for var entry in try transaction.entries(keys).values.sorted(by: { $0.key < $1.key }) {
          entry.fileWaits(until: end)
          try transaction.put(entry)
          waiting.append(entry)
        }
      }
      return waiting
    }
    for file in left { failed.formUnion(places[file]?.map(\.key) ?? []) }
    report(waiting: waiting, "The server takes no new file now. \(message)")
  }

  /// Parks the records of a file that the server will not take.
  private mutating func park(_ file: File, _ refusal: Refusal) throws(SyncError) {
    let places = places[file] ?? []
    let (parked, keys) = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      try transaction.change(.sentFiles) { $0.fail(file) }
      let keys = try transaction.holders(of: file, among: places)
      let parked = try blocking.record(
        Dictionary(keys.map { ($0, .parked(refusal)) }) { first, _ in first }, in: transaction)
      return (parked, keys)
    }
    failed.formUnion(keys)
    blocking.report(parked)
  }
}

extension SyncTransaction {
  /// The records that still hold a new file: the app may have edited or deleted a row while the file was sent.
  fileprivate func holders(
    of file: File, among places: [FileUploadRun.Place]
  ) throws(StoreError) -> [RecordKey] {
    let rows = try rows(places.map(\.key))
    return places.filter { rows[$0.key]?[$0.field] == .file(file) }.map(\.key)
  }

  /// Puts the server's name of a file into fields that still hold the new one.
  ///
  /// - Returns: The changes whose rows a rule of another program keeps as they are, and whether any field held the file.
  fileprivate func name(
    _ places: [FileUploadRun.Place], _ file: File, as sent: File,
    leavingOut refusals: StoreRefusals<RecordKey>
  ) throws(StoreError) -> (kept: [OutboxEntry], isNamed: Bool) {
    let rows = try rows(places.map(\.key))
    var kept: [OutboxEntry] = []
    var isNamed = false
    for place in places where rows[place.key]?[place.field] == .file(file) {
      let key = place.key
      // Where a rule keeps the row, a later sync tries it again.
      isNamed = true
      let attempt = try refusals.attempt(key, in: self) { () throws(StoreError) in
        try set([place.field: .file(sent)], of: key.className, localID: key.localID)
      }
      guard var entry = try entries([key])[key] else { continue }
      switch attempt {
      case .success:
        entry.fileArrived()
      case .failure(let error):
        entry.rule = try rule(of: error, on: key.className)
        kept.append(entry)
      }
      try put(entry)
    }
    return (kept, isNamed)
  }
}
