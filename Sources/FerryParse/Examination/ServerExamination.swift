// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
public import Foundation

/// Asks a Parse Server what a sync needs to know before it starts; `ferry doctor` shows the findings.
///
/// ```swift
/// var examination = ServerExamination(of: server)
/// try examination.ask([.health, .rows(of: "Game"), .count(of: "Game")], over: CurlTransport())
/// if case .refused(let error) = examination.rows(of: "Game") { print(error) }
/// ```
///
/// A value without connections: it keeps the answers, and its properties read them. Only `probe` and
/// `makeIndex` write to the server.
public struct ServerExamination: Sendable {
  /// A request that changes nothing on the server.
  public enum Query: Hashable, Sendable {
    /// Whether the server is ready. Its answer also shows the server's clock.
    case health
    /// The server's version; only the master key may ask.
    case version
    /// The server's classes with their fields and indexes; only the master key may ask.
    case classes
    /// The user to whom the session token belongs.
    case user
    /// The newest rows of a class: at most `ServerExamination.sampleSize`, and fewer where these are too large for one
    /// answer.
    case rows(of: String)
    /// The number of rows of a class.
    case count(of: String)
    /// A batch of one query of a class, to see whether batches work.
    case batch(of: String)
    /// A query of a class that no database can run, to see which database refuses it.
    case database(of: String)
    /// The version and the classes of Ferry's Cloud Code, if the server has it.
    case module
  }

  /// An exchange of the examination.
  package enum Exchange: Hashable, Sendable {
    case query(Query)
    case createProbe, deleteProbe, removeProbeClass
    case makeIndex(String)
  }

  /// The greatest number of rows that `Query.rows` asks for.
  public static let sampleSize = 100

  /// The server.
  public let server: ParseServer
  private let timeout: Duration
  /// When the answer to `Query.health` was complete, by this device's clock; nil before.
  public package(set) var localTime: Date?
  package var results: [Exchange: Result<HTTPResponse, HTTPError>] = [:]

  /// Makes an examination; it sends nothing.
  ///
  /// It asks as nobody, or in the session that `ParseServer.inSession(of:)` gave; it calls no closure for a token.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - timeout: How long the server may be silent until a request counts as failed.
  public init(of server: ParseServer, timeout: Duration = .seconds(60)) {
    self.server = server
    self.timeout = timeout
  }

  var requests: ParseRequests { ParseRequests(server, limits: HTTPLimits(timeout: timeout)) }

  /// Sends queries, several at once, and keeps their answers; a new answer replaces an earlier one.
  ///
  /// It blocks the calling thread until all are answered. Call it from your own thread, never from
  /// Swift's cooperative pool. A refusal or a failed exchange is a finding, not an error.
  ///
  /// - Parameters:
  ///   - queries: The queries, in any order.
  ///   - transport: The transport that sends the requests.
  ///   - cancellation: The signal that ends the examination early.
  /// - Throws: `HTTPError` with code `cancelled` after a cancellation.
  public mutating func ask(
    _ queries: [Query], over transport: any HTTPTransport,
    cancellation: CancellationSignal = CancellationSignal()
  ) throws(HTTPError) {
    var sendable: [(query: Query, request: HTTPRequest)] = []
    for query in queries {
      do throws(RequestError) {
        sendable.append((query, try request(query)))
      } catch {
        results[.query(query)] = .failure(HTTPError(unsendable: error))
      }
    }
    let answers = DiscreetTransport(transport).sendAll(
      sendable.map(\.request), cancellation: cancellation)
    for (query, answer) in zip(sendable.map(\.query), answers) {
      try note(answer, of: .query(query))
      if case .rows(let name) = query, answer.isTooLarge {
        try askForFewerRows(of: name, transport, cancellation)
      }
    }
  }

  /// Asks for ever fewer of a class's newest rows until their answer is small enough, as a sync does.
  private mutating func askForFewerRows(
    of className: String, _ transport: any HTTPTransport, _ cancellation: CancellationSignal
  ) throws(HTTPError) {
    for limit in [Self.sampleSize / 10, 1] {
      try send(.query(.rows(of: className)), transport, cancellation) {
        requests throws(RequestError) in try requests.sample(of: className, limit: limit)
      }
      guard results[.query(.rows(of: className))]?.isTooLarge == true else { return }
    }
  }

  mutating func note(
    _ answer: Result<HTTPResponse, HTTPError>, of exchange: Exchange
  ) throws(HTTPError) {
    if case .failure(let error) = answer, error.code == .cancelled { throw error }
    results[exchange] = answer
    if exchange == .query(.health) { localTime = Date() }
  }
}

extension ServerExamination {
  private func request(_ query: Query) throws(RequestError) -> HTTPRequest {
    switch query {
    case .health: return requests.health()
    case .version: return requests.serverInfo()
    case .classes: return requests.schemas()
    case .user: return requests.currentUser()
    case .rows(let name): return try requests.sample(of: name, limit: Self.sampleSize)
    case .count(let name): return try requests.count(name, where: Self.everything)
    case .batch(let name): return try requests.batch(reading: [(name, ParseQuery(limit: 0))])
    case .module: return requests.serverModule()
    case .database(let name): return try requests.find(name, Self.unknownOperator)
    }
  }

  /// Every row; with this constraint, the server counts instead of estimating even for the master key.
  private static let everything = ParseConstraint.compare(
    "createdAt", .greaterThanOrEqual, .date(Timestamp(milliseconds: 0)))

  /// With a limit of 0, no database would see it.
  private static let unknownOperator = ParseQuery(
    .equal("objectId", .object(["$ferry": 1])), limit: 1)
}

extension ParseRequests {
  /// Queries the newest rows of a class.
  fileprivate func sample(of className: String, limit: Int) throws(RequestError) -> HTTPRequest {
    try find(className, ParseQuery(order: ["-updatedAt"], limit: limit))
  }
}

extension Result<HTTPResponse, HTTPError> {
  /// Whether the answer was larger than the request allowed.
  fileprivate var isTooLarge: Bool {
    if case .failure(let error) = self { error.code == .tooLarge } else { false }
  }
}

extension HTTPError {
  /// A request that cannot be made of the names that were given.
  init(unsendable error: RequestError) {
    self.init(.invalidURL, outcome: .notSent, message: error.message, cause: error)
  }
}
