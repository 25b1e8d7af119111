// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

// Uploads that failed: their records wait, pause or are parked, and say why.
extension FileUploadRun {
  mutating func failed(_ transfer: Transfer, _ error: HTTPError) throws(SyncError) {
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

  mutating func failed(_ transfer: Transfer, _ error: ParseError) throws(SyncError) {
    switch error.consequenceForUpload {
    case .park: try park(transfer.file, .refusedFile(transfer.unsent, error))
    case .askForLogin: try askForLogin(transfer, error)
    case .pause:
      let pause = error.retryAfter ?? OutboxEntry.pauseForServer
      try pauseAll(
        with: transfer, for: pause, "The server takes no new file now. \(error.happeningInFull)"
      ) { $0.fail(transfer.file) }
    case .endRun:
      try note { $0.fail(transfer.file) }
      ending = ending ?? SyncError(endingRun: error)
    case .doubt(let mayStillRun):
      try count(transfer, error.description, mayStillRun: mayStillRun)
    }
  }

  func note(_ change: (inout SentFiles) -> Void) throws(SyncError) {
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
    let words = "The server has not got its new file \(transfer.unsent.name) yet. \(message)"
    let (waiting, parked, keys) = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      try transaction.change(.sentFiles) { $0.lose(transfer.file) }
      let keys = try transaction.holders(of: transfer.file, among: places)
      var stuck: [RecordKey: OutboxEntry.State] = [:]
      var waiting: [OutboxEntry] = []
      for var entry in try transaction.entries(keys).values.sorted(by: { $0.key < $1.key }) {
        entry.fileFailed(at: now, words)
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
    report(waiting: waiting, words)
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
      with: transfer, for: FilesAfterLoginStage.longestPause,
      "The server takes new files only from users who are logged in. \(error.happeningInFull) Log in as a user who may "
        + "send files, and sync again."
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
    with transfer: Transfer, for pause: Duration, _ words: String,
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
          entry.fileWaits(until: end, words)
          try transaction.put(entry)
          waiting.append(entry)
        }
      }
      return waiting
    }
    for file in left { failed.formUnion(places[file]?.map(\.key) ?? []) }
    report(waiting: waiting, words)
  }

  /// Parks the records of a file that the server will not take.
  mutating func park(_ file: File, _ refusal: Refusal) throws(SyncError) {
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
