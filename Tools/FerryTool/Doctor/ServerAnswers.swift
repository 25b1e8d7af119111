// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation

/// A server's answers to the questions of an examination, not interpreted yet.
struct ServerAnswers: Sendable {
  /// One request.
  enum Question: Hashable, Sendable {
    case health, serverInfo, schemas, user, batch
    case find(String)
    case count(String)
    /// A query that no database can run, to see which of them says so.
    case unknownOperator
    /// Writes, which are sent only when they are asked for.
    case createProbe, deleteProbe, removeProbeClass
    case makeIndex(String)
  }

  /// The outcome of a question.
  enum Reading<Answer> {
    case answer(Answer)
    case refused(ParseError)
    case failed(HTTPError)
    case notAsked
  }

  /// The answers, or why there is none.
  var results: [Question: Result<HTTPResponse, HTTPError>] = [:]
  /// This machine's clock when the answer to the first question was there.
  var localTime = Date.distantPast

  /// Reads an answer as what it should be.
  func read<Answer>(
    _ question: Question, _ body: (ParseResponses, HTTPResponse) throws -> Answer
  ) -> Reading<Answer> {
    switch results[question] {
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

  /// Whether something of a Parse Server's answered, be it a refusal.
  func isParse(_ question: Question) -> Bool {
    switch read(question, { try $0.read($1) { _ in true } }) {
    case .answer: true
    case .refused(let error): ![.wrongURL, .notParse].contains(error.meaning)
    case .failed, .notAsked: false
    }
  }
}

extension ServerAnswers {
  /// The newest rows of a class.
  func rows(of className: String) -> Reading<[[String: Value]]> {
    read(.find(className)) { try $0.read($1, SampledClass.rows) }
  }

  /// The classes with their fields; only the master key gets them.
  var schemas: Reading<[Entity]> { read(.schemas) { try $0.schemas($1) } }

  /// The fields of each index, by class; only the master key gets them.
  var indexes: Reading<[String: [Set<String>]]> {
    read(.schemas) { responses, response in
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

  func making(indexOf className: String) -> Reading<Bool> {
    read(.makeIndex(className)) { try $0.read($1) { _ in true } }
  }

  func hasMadeIndex(of className: String) -> Bool {
    if case .answer = making(indexOf: className) { true } else { false }
  }
}
