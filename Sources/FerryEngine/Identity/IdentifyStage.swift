// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Checks that the store's data belongs to this server and this user, before any data moves.
///
/// A run with the master key also proves that the server accepts it.
struct IdentifyStage: Stage {
  let name: StageName? = nil
  /// Whether later stages use the server, so that the user must be known.
  let asksServer: Bool

  /// The owners from which this run may take the store over.
  var adopting: Set<StoreAdoption> = []

  func run(in context: StageContext) throws(SyncError) {
    let bound = try context.state(.binding)
    if let bound, bound.server != context.server.identity {
      // A moved server must prove that it is the same server.
      guard adopting.contains(.movedServer), asksServer else { throw .otherServer(bound) }
    }
    guard asksServer else { return }
    try MasterKeyProof(context: context).prove()
    let now = StoreOwner(server: context.server.identity, userID: try currentUser(context))
    guard let bound else {
      if now.userID == nil { try proveServer(context) }
      return try bind(context, now)
    }
    guard bound != now else { return }
    if bound.userID != now.userID { try checkUser(bound, now, context) }
    if bound.server != now.server { try StoreProof(context: context).proveSameData() }
    try adopt(context, from: bound, now)
  }

  private func checkUser(_ bound: StoreOwner, _ now: StoreOwner, _ context: StageContext)
    throws(SyncError)
  {
    let refusal = try context.read { reader throws(StoreError) in
      try reader.refusal(of: bound, toUser: now.userID)
    }
    guard let refusal else { return }
    if refusal.adoption == .anonymousData, adopting.contains(.anonymousData) { return }
    throw refusal
  }

  private func adopt(_ context: StageContext, from bound: StoreOwner, _ now: StoreOwner)
    throws(SyncError)
  {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.binding) { $0 = now }
      try transaction.change(.askedAt) { $0 = [:] }
      for entity in transaction.schema.entities {
        try transaction.change(.classState(entity.name)) { $0.forgetProof() }
      }
      if bound.userID != now.userID { try transaction.retryWhatNeededPermission() }
      guard bound.server != now.server else { return }
      try transaction.change(.capabilities) { $0 = ServerCapabilities() }
      try transaction.change(.sentFiles) { files in
        guard files != SentFiles() else { return }
        files.move(from: bound.server, to: now.server)
      }
    }
  }

  /// Checks that a Parse Server answers before the store is bound to it, in case the address is
  /// wrong.
  private func proveServer(_ context: StageContext) throws(SyncError) {
    guard let entity = context.schema.entities.first(where: \.isOnServer) else { return }
    let query = ParseQuery(keys: [], limit: 0)
    let response: HTTPResponse
    do {
      response = try ClassContext(entity, in: context).response(to: query)
    } catch {
      // A Parse Server refuses in this form; the stages report what it refused.
      _ = try error.failure()
      return
    }
    do {
      _ = try ParseResponses().read(response) { $0["results"]?.array }
    } catch {
      // An answer that is cut fails its class later.
      guard error.meaning == .malformed else { return }
      let stranger = ParseError(status: error.status, meaning: .notParse)
      throw SyncError(.notParseServer, stranger.description, cause: stranger)
    }
  }

  private func bind(_ context: StageContext, _ now: StoreOwner) throws(SyncError) {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.binding) { $0 = now }
    }
  }

  /// The owner of the session token; nil for nobody.
  private func currentUser(_ context: StageContext) throws(SyncError) -> String? {
    guard context.server.session.token != nil else { return nil }
    do throws(SyncError) {
      return try ownerOfSession(context)
    } catch {
      guard error.code == .loginNeeded, try renewSession(context) else { throw error }
      return try ownerOfSession(context)
    }
  }

  private func ownerOfSession(_ context: StageContext) throws(SyncError) -> String {
    let request = context.requests.currentUser()
    let response: HTTPResponse
    do {
      response = try context.transport.send(request, cancellation: context.cancellation)
    } catch {
      throw SyncError(error)
    }
    do {
      return try ParseResponses().user(response).objectID
    } catch {
      throw SyncError(endingRun: error) ?? SyncError.unknownUser(error)
    }
  }

  /// Whether the app gave a new token for a session that has ended; without one, the run ends with the server's refusal.
  private func renewSession(_ context: StageContext) throws(SyncError) -> Bool {
    do {
      return try context.server.renewPresentSession(
        within: context.options.sessionTimeout, cancellation: context.cancellation)
    } catch {
      throw SyncError(error)
    }
  }
}

extension SyncError {
  /// The server answered the query for the session's user, but named none.
  fileprivate static func unknownUser(_ error: ParseError) -> SyncError {
    let (code, remedy): (Code, String) =
      switch error.meaning {
      case .notFoundOrForbidden: (.loginNeeded, "Log in again, then sync again.")
      case .malformed:
        (.malformedData, "Sync again; if that changes nothing, look at the server's log.")
      case .refused, .forbidden, .invalidName, .duplicate:
        (.unauthorized, "Log in again; if that changes nothing, look at the server's log.")
      default: (.tryAgain, "Sync again; if that changes nothing, look at the server's log.")
      }
    let words = error.serverText.isEmpty ? "" : " It said: “\(error.serverText)”."
    return SyncError(
      code,
      "The server did not say whose session this is (\(error.origin)).\(words) Nothing was sent and "
        + "nothing was changed; unsent changes are kept. \(remedy)",
      cause: error)
  }
}

extension SyncTransaction {
  /// Makes changes ready again that the server refused because the user, or nobody, may not make them.
  fileprivate func retryWhatNeededPermission() throws(StoreError) {
    var refused: [OutboxEntry] = []
    try forEachOutboxEntry(.touched) { entry in
      if case .parked(let refusal) = entry.state, refusal.reason == .noPermission {
        refused.append(entry)
      }
    }
    for index in refused.indices { refused[index].retry() }
    try put(refused)
  }
}
