// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import Testing

/// Whole syncs over real sockets with a server that misbehaves at one kind of exchange.
@Suite(.serialized, .timeLimit(.minutes(1))) struct EvilServerTests {
  /// The errors with which a sync may end; an internal error or one of the store is none of them.
  private static let expected: Set<SyncError.Code> = [
    .unreachable, .tryAgain, .loginNeeded, .unauthorized, .notParseServer, .wrongURL,
    .malformedData,
  ]

  @Test(arguments: behaviours)
  func `a sync ends in time, and nothing is lost or doubled`(behaviour: EvilBehaviour) async throws
  {
    try await withThrowingTaskGroup { group in
      for exchange in Self.exchanges(of: behaviour) {
        group.addTask { try await sync(behaviour, at: exchange) }
      }
      try await group.waitForAll()
    }
  }

  /// A text that `FERRY_EVIL_SERVER` holds; then only behaviours with that text in their names are
  /// played, at all their exchanges.
  private static let chosen = ProcessInfo.processInfo.environment["FERRY_EVIL_SERVER"]

  private static let behaviours = EvilBehaviour.all.filter { behaviour in
    chosen.map { $0.isEmpty || behaviour.name.contains($0) } ?? true
  }

  /// One of the behaviour's exchanges, another one for the next behaviour.
  private static func exchanges(of behaviour: EvilBehaviour) -> [EvilExchange] {
    let all = behaviour.exchanges.filter(EvilExchange.ofSync.contains)
    guard chosen == nil else { return all }
    let place = EvilBehaviour.all.firstIndex { $0.name == behaviour.name } ?? 0
    return [all[place % all.count]]
  }

  private func sync(_ behaviour: EvilBehaviour, at exchange: EvilExchange) async throws {
    let world = try await EvilWorld()
    let comment: Comment = "\(behaviour.name), at \(exchange)"
    world.server.play(behaviour, at: exchange)
    let result = await world.sync(asMaster: exchange == .serverInfo)
    if case .failure(let error) = result {
      #expect(Self.expected.contains(error.code), "\(comment): \(error.code) \(error)")
      #expect(error.message.utf8.count < 4000, comment)
    }
    // The most: an answer brings 20,000 invented rows of two classes each, and they are looked up by 100.
    #expect(world.server.requestCount < 500, comment)
    // The limit and a second on an idle machine; other steps of the tests run beside this one.
    let limit = ImpatientTransport.totalTime + .seconds(60)
    #expect(world.transport.longestExchange < limit, comment)
    try world.expectNothingRemoved(comment)
    try await world.expectConvergence(comment)
  }

  @Test(arguments: behaviours)
  func `an examination ends in time, with findings`(behaviour: EvilBehaviour) async throws {
    let server = try EvilServer()
    server.play(behaviour)
    let transport = ImpatientTransport(port: server.port)
    let known = try PreparedEvilWorld.parseServer(token: "r:1", asMaster: true)
    let start = ContinuousClock.now
    await withCheckedContinuation { continuation in
      // It blocks its thread, which must not be one of Swift's.
      DispatchQueue.global().async {
        var examination = ServerExamination(of: known)
        let queries: [ServerExamination.Query] = [
          .health, .version, .classes, .user, .rows(of: "Game"), .count(of: "Game"),
          .batch(of: "Game"), .database(of: "Game"), .module,
        ]
        #expect(throws: Never.self) { try examination.ask(queries, over: transport) }
        // The findings are read from the answers here.
        _ = (examination.isReady, examination.version, examination.acceptsMasterKey)
        _ = (examination.user, examination.classes, examination.indexes, examination.serverTime)
        _ = (examination.rows(of: "Game"), examination.count(of: "Game"))
        _ = (examination.batch(of: "Game"), examination.database(of: "Game"), examination.module)
        continuation.resume()
      }
    }
    #expect(ContinuousClock.now - start < ImpatientTransport.totalTime + .seconds(60))
  }
}
