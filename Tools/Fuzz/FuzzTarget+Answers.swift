// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

extension FuzzTarget {
  private static let statuses = [200, 201, 207, 400, 401, 403, 404, 413, 429, 500, 501, 504]
  private static let writes: [WriteOperation] = [
    .create(className: "Game", body: [:]), .update(className: "Game", objectID: "a", body: [:]),
    .delete(className: "Game", objectID: "a"),
  ]

  /// Each answer gives a result for each of its requests, or an error that can be told.
  static func checkAnswers(_ input: FuzzInput) throws(BrokenLaw) {
    var input = input
    let status = statuses[input.choice(below: statuses.count)]
    let count = input.choice(below: 5)
    let operations = (0..<count).map { writes[$0 % writes.count] }
    let response = HTTPResponse(status: status, body: input.rest)
    let responses = ParseResponses()

    try told { () throws(ParseError) -> [ParseError]? in
      let results = try responses.batch(operations, response)
      return results.count == count ? results.compactMap(\.failure) : nil
    }
    try told { () throws(ParseError) -> [ParseError]? in
      let pages = try responses.batchPages(response, count: count)
      for case .success(let page) in pages where (try? outline(page)) == nil { return nil }
      return pages.count == count ? pages.compactMap(\.failure) : nil
    }
    for operation in writes {
      try told { () throws(ParseError) -> [ParseError]? in
        _ = try responses.write(operation, response)
        return []
      }
    }
    for number in 0..<7 {
      try told { () throws(ParseError) -> [ParseError]? in
        try read(number, responses, response)
        return []
      }
    }
    _ = responses.isFromParseServer(response)
  }

  private static func outline(_ page: Data) throws(PageError) -> PageOutline {
    try PageOutline(page, reader: JSONReader())
  }

  /// Reads the answer to another request than a write.
  private static func read(
    _ number: Int, _ responses: ParseResponses, _ response: HTTPResponse
  ) throws(ParseError) {
    switch number {
    case 0: _ = try responses.count(response)
    case 1: try responses.checkPage(response)
    case 2: _ = try responses.user(response)
    case 3: _ = try responses.isHealthy(response)
    case 4: _ = try responses.acceptsMasterKey(response)
    case 5: _ = try responses.serverVersion(response)
    default: _ = try responses.schemas(response)
    }
  }

  /// Reads an answer; nil from the closure is a result that does not fit its requests.
  private static func told(
    _ read: () throws(ParseError) -> [ParseError]?
  ) throws(BrokenLaw) {
    let errors: [ParseError]?
    do { errors = try read() } catch { errors = [error] }
    guard let errors else { throw BrokenLaw("An answer does not fit its requests.") }
    for error in errors {
      let text = "\(error)"
      try law(!text.isEmpty && text.count < 2000, "An error of \(text.count) characters.")
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
