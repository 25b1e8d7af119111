// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The new files of a page of changes on their way to the server.
struct FileUploadRun {
  /// A field of a row that holds a new file.
  struct Place: Hashable {
    let key: RecordKey
    let field: String
  }

  /// A question under way: whether the server still has the file that it made of a new one earlier.
  private struct Inquiry {
    let file: File
    let sent: File
  }

  /// An upload under way.
  struct Transfer {
    let file: File
    let unsent: UnsentFile
    let source: FileBodySource
  }

  let context: StageContext
  let stage: StageName
  let blocking: Blocking
  let server: String
  private let keys: [RecordKey]
  private(set) var places: [File: [Place]] = [:]
  /// The files that nobody has begun to send, the last one first.
  var queue: [File]
  private var uploads = RequestTags<Transfer>()
  private var inquiries = RequestTags<Inquiry>(after: .max / 2)
  private let arrived: ArrivedFiles
  var failed: Set<RecordKey> = []
  var ending: SyncError?

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

  /// The next request for a file; nil if none is needed, or none can be made.
  private mutating func request(for file: File) throws(SyncError) -> HTTPRequest? {
    if let sent = arrived[file] {
      try name(file, as: sent)
      return nil
    }
    guard let sent = try context.state(.sentFiles).file(for: file, on: server) else {
      return try upload(of: file)
    }
    // The owner of the server may have removed it since.
    let inquiry = context.requests.head(ofFileNamed: sent.name)
    return inquiries.tagged(inquiry, Inquiry(file: file, sent: sent))
  }

  /// Notes that a file leaves, and makes its request; nil if none can be made.
  private mutating func upload(of file: File) throws(SyncError) -> HTTPRequest? {
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
    return uploads.tagged(request, Transfer(file: file, unsent: unsent, source: source))
  }

  // MARK: Answers

  private mutating func completed(
    _ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> HTTPRequest? {
    if let inquiry = inquiries.take(request) { return try answered(inquiry, result) }
    guard let transfer = uploads.take(request) else { return nil }
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

  /// Names the file that the server still has, or sends it anew.
  private mutating func answered(
    _ inquiry: Inquiry, _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> HTTPRequest? {
    switch result {
    case .success(let response) where response.status == 404:
      try note { $0.forget(sent: inquiry.sent.name, on: server) }
      if let request = try upload(of: inquiry.file) { return request }
    // A server that says neither yes nor no, such as one that wants a login for it, has most likely kept the file.
    case .success: try name(inquiry.file, as: inquiry.sent)
    case .failure(let error):
      failed.formUnion(places[inquiry.file]?.map(\.key) ?? [])
      ending = ending ?? SyncError(error)
    }
    return try next()
  }

  /// Puts the server's name into the fields that hold the new file, and notes it, in one transaction.
  private mutating func name(_ file: File, as sent: File) throws(SyncError) {
    let places = places[file] ?? []
    let now = context.environment.now()
    let mayLeave = places.contains { place in
      let fields = context.schema.entity(place.key.className)?.fields
      return fields?.first { $0.name == place.field }?.replacedFiles == .delete
    }
    let refusals = StoreRefusals<RecordKey>()
    let outcome = try context.write(.full, leavingOut: refusals) { transaction throws(StoreError) in
      try transaction.fold()
      let outcome = try transaction.name(places, file, as: sent, leavingOut: refusals)
      try transaction.change(.sentFiles) {
        $0.succeed(file, as: sent, on: server, isNamed: outcome.isNamed, at: now)
      }
      if outcome.isNamed, mayLeave {
        let own = SentFiles.Sent(
          unsent: file.name, server: server, name: sent.name, url: sent.url ?? "", time: now)
        try transaction.change(.ownFile(sent.name)) { $0 = own }
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
}
