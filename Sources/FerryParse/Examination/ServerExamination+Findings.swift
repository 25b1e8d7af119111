// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
public import FerryModel
import FerryPlanning
public import Foundation

// The findings: each property reads the newest answer to its query.
extension ServerExamination {
  /// Whether the server is ready for requests.
  public var isReady: Finding<Bool> { find(.query(.health)) { try $0.isHealthy($1) } }

  /// The version, for example `9.10.0`.
  public var version: Finding<String> { find(.query(.version)) { try $0.serverVersion($1) } }

  /// Whether the server accepts the master key.
  public var acceptsMasterKey: Finding<Bool> {
    find(.query(.version)) { try $0.acceptsMasterKey($1) }
  }

  /// The object id of the user to whom the session token belongs.
  public var user: Finding<String> { find(.query(.user)) { try $0.user($1).objectID } }

  /// The classes that Ferry can sync, with all their fields.
  public var classes: Finding<[Entity]> { find(.query(.classes)) { try $0.schemas($1) } }

  /// The fields of each index, by class.
  public var indexes: Finding<[String: [Set<String>]]> {
    find(.query(.classes)) { responses, response in
      try responses.read(response) { root in
        guard let classes = root["results"]?.array else { return nil }
        let named = classes.map { element in
          let indexes = element["indexes"]?.object?.map { index in
            Set(index.value.object?.map(\.name) ?? [])
          }
          return (element["className"]?.string ?? "", indexes ?? [])
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// The newest rows of a class, with all members that the server sent.
  public func rows(of className: String) -> Finding<[[String: Value]]> {
    find(.query(.rows(of: className))) { responses, response in
      try responses.read(response) { page in
        guard let elements = page["results"]?.array else { return nil }
        return try elements.compactMap { element in
          if case .object(let members) = try Value(element) { members } else { nil }
        }
      }
    }
  }

  /// The number of rows of a class.
  public func count(of className: String) -> Finding<Int> {
    find(.query(.count(of: className))) { try $0.count($1) }
  }

  /// Whether batches work; the answer is the number of queries that the server answered.
  public func batch(of className: String) -> Finding<Int> {
    find(.query(.batch(of: className))) { try $0.batchPages($1, count: 1).count }
  }

  /// The database behind the server, by the code with which it refuses `Query.database`; nil if that
  /// shows nothing.
  ///
  /// It needs an answer to `Query.rows` of the same class: a class that may not be read is refused
  /// with the same code.
  public func database(of className: String) -> Database? {
    // Most classes were not asked, and their rows take time to read.
    guard
      case .refused(let error) = find(
        .query(.database(of: className)), { try $0.checkPage($1) }),
      case .answer = rows(of: className)
    else { return nil }
    return switch error.code {
    case .operationForbidden: .postgreSQL
    case .invalidJSON: .mongoDB
    default: nil
    }
  }

  /// Ferry's Cloud Code on the server; an answer of nil says that the server has none.
  public var module: Finding<ServerModule?> { find(.query(.module)) { try $0.module($1) } }

  /// The server's clock, in whole seconds, shortly before `localTime`; nil if no answer shows it.
  public var serverTime: Date? {
    guard case .success(let response) = results[.query(.health)] else { return nil }
    return response.date
  }

  /// Whether a query has an answer that a Parse Server gives: results, or a refusal in its form.
  public var isParseServer: Bool { results.keys.contains(where: isParse) }

  /// Whether this query has an answer that a Parse Server gives: results, or a refusal in its form.
  public func isParseServer(answering query: Query) -> Bool { isParse(.query(query)) }

  private func isParse(_ exchange: Exchange) -> Bool {
    guard case .success(let response) = results[exchange] else { return false }
    return ParseResponses().isFromParseServer(response)
  }
}

extension ServerExamination {
  /// A database behind a Parse Server.
  public enum Database: Sendable {
    /// PostgreSQL.
    case postgreSQL
    /// MongoDB.
    case mongoDB
  }

  /// The result of one exchange.
  public enum Finding<Answer> {
    /// The server answered.
    case answer(Answer)
    /// The server refused, or something else than a Parse Server answered.
    case refused(ParseError)
    /// There was no complete answer.
    case failed(HTTPError)
    /// The query was not sent.
    case notAsked

    /// The answer; nil if the query was not sent.
    ///
    /// - Throws: `ParseError` for a refusal, `HTTPError` for an exchange without an answer.
    public func get() throws -> Answer? {
      switch self {
      case .answer(let answer): answer
      case .refused(let error): throw error
      case .failed(let error): throw error
      case .notAsked: nil
      }
    }
  }

  /// Reads an answer as what it should be.
  func find<Answer>(
    _ exchange: Exchange, _ body: (ParseResponses, HTTPResponse) throws -> Answer
  ) -> Finding<Answer> {
    switch results[exchange] {
    case nil: return .notAsked
    case .failure(let error): return .failed(error)
    case .success(let response):
      do {
        return .answer(try body(ParseResponses(), response))
      } catch let error as ParseError {
        return .refused(error)
      } catch {
        return .refused(
          ParseError(status: response.status, serverText: "\(error)", meaning: .malformed))
      }
    }
  }
}
