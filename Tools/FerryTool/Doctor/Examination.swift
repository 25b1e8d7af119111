// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// What `ferry doctor` asks a server, and of which classes.
struct Examination {
  var classNames: [String]
  var hasSession: Bool
  /// How long the server may be silent.
  var timeout: Duration
  var transport: any HTTPTransport
  var cancellation: CancellationSignal

  /// Sends the queries; all but the first only if there is something that answers it.
  ///
  /// - Throws: The error of a cancelled request.
  func run(of server: ParseServer) throws(Failure) -> ServerExamination {
    var findings = ServerExamination(of: server, timeout: timeout)
    do {
      try findings.ask([.health], over: transport, cancellation: cancellation)
      if case .failed = findings.isReady { return findings }
      try findings.ask(queries(server), over: transport, cancellation: cancellation)
      // A class that may not be read shows nothing about batches or the database.
      let first = classNames.first(where: findings.hasAnswered(rowsOf:)) ?? classNames.first
      let rest: [ServerExamination.Query] = first.map { [.batch(of: $0), .database(of: $0)] } ?? []
      try findings.ask(rest, over: transport, cancellation: cancellation)
    } catch {
      throw Failure(error)
    }
    return findings
  }

  private func queries(_ server: ParseServer) -> [ServerExamination.Query] {
    var queries: [ServerExamination.Query] = server.usesMasterKey ? [.version, .classes] : []
    if hasSession { queries.append(.user) }
    queries.append(.module)
    return queries + classNames.flatMap { [.rows(of: $0), .count(of: $0)] }
  }
}

extension ServerExamination {
  /// Whether the server showed rows of a class, or that it shows none.
  func hasAnswered(rowsOf className: String) -> Bool {
    if case .answer = rows(of: className) { true } else { false }
  }
}
