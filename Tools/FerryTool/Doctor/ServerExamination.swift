// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

/// Asks a server everything that can be asked without changing it.
struct ServerExamination {
  var server: ParseServer
  var classNames: [String]
  var hasSession: Bool
  var transport: any HTTPTransport
  var cancellation: CancellationSignal

  /// Sends the questions; all but the first only if there is something that answers it.
  ///
  /// - Throws: The error of a cancelled request.
  func run() throws -> ServerAnswers {
    var answers = ServerAnswers()
    let requests = ParseRequests(server)
    try ask([(.health, requests.health())], &answers)
    answers.localTime = Date()
    guard case .success = answers.results[.health] else { return answers }
    try ask(questions(requests), &answers)
    return answers
  }

  private func questions(
    _ requests: ParseRequests
  ) throws(RequestError) -> [(ServerAnswers.Question, HTTPRequest)] {
    var questions: [(ServerAnswers.Question, HTTPRequest)] = []
    if server.usesMasterKey {
      questions += [(.serverInfo, requests.serverInfo()), (.schemas, requests.schemas())]
    }
    if hasSession { questions.append((.user, requests.currentUser())) }
    for name in classNames {
      questions.append((.find(name), try requests.find(name, Self.sample)))
      questions.append((.count(name), try requests.count(name, where: Self.everything)))
    }
    guard let first = classNames.first else { return questions }
    let nothing = ParseQuery(limit: 0)
    questions.append((.batch, try requests.batch(reading: [(first, nothing)])))
    questions.append((.unknownOperator, try requests.find(first, Self.unknownOperator)))
    return questions
  }

  private func ask(
    _ questions: [(ServerAnswers.Question, HTTPRequest)], _ answers: inout ServerAnswers
  ) throws {
    let results = transport.sendAll(questions.map(\.1), cancellation: cancellation)
    for ((question, _), result) in zip(questions, results) {
      if case .failure(let error) = result, error.code == .cancelled { throw error }
      answers.results[question] = result
    }
  }

  /// Enough rows that they show the types of most fields.
  private static let sample = ParseQuery(order: ["-updatedAt"], limit: ClassSurvey.sampleSize)

  /// Every row; with this constraint, the server counts instead of estimating even for the master key.
  private static let everything = ParseConstraint.compare(
    "createdAt", .greaterThanOrEqual, .date(Timestamp(milliseconds: 0)))

  /// With a limit of 0, no database would see it.
  private static let unknownOperator = ParseQuery(
    .equal("objectId", .object(["$ferry": 1])), limit: 1)
}
