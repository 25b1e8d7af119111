// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation

/// Sends several queries about relations, many in one request; a query that is refused concerns no other.
struct MemberQueries {
  let context: ClassContext
  let membership: Membership

  /// The answers, and the server's time at the first of them.
  typealias Answers<Content> = (results: [Result<Content, ClassFailure>], time: Date?)

  /// Goes on with listings until all of them are complete.
  ///
  /// - Parameter listings: Listings of members.
  /// - Returns: The members that each listing found.
  /// - Throws: `ClassError` if every further query would fail.
  func whole(_ listings: inout [MemberListing]) throws(ClassError) -> Answers<[String]> {
    var failures: [Int: ClassFailure] = [:]
    var time: Date?
    while true {
      let open = listings.indices.filter { failures[$0] == nil && listings[$0].nextQuery != nil }
      guard !open.isEmpty else { break }
      for chunk in open.chunks(of: try batchSize()) {
        let answers = try pages(
          chunk.compactMap { listings[$0].nextQuery }, of: membership.memberClass)
        time = time ?? answers.time
        for (index, result) in zip(chunk, answers.results) {
          switch result {
          case .success(let page):
            do {
              try listings[index].absorb(page)
            } catch {
              failures[index] = try failure(of: error)
            }
          case .failure(let failure): failures[index] = failure
          }
        }
      }
    }
    let results: [Result<[String], ClassFailure>] = listings.indices.map { index in
      failures[index].map { .failure($0) } ?? .success(listings[index].members)
    }
    return (results, time)
  }

  /// The pages that queries bring.
  func pages(
    _ queries: [ParseQuery], of className: String
  ) throws(ClassError) -> Answers<ParsePage> {
    var answers: Answers<ParsePage> = ([], nil)
    for chunk in queries.chunks(of: try batchSize()) {
      try context.checkCancellation()
      let bodies = try bodies(chunk, of: className)
      answers.time = answers.time ?? bodies.time
      for body in bodies.results {
        answers.results.append(
          body.flatMap { body in
            var reader = PageReader(Entity(className, fields: []))
            do throws(PageError) {
              return .success(try reader.read(body))
            } catch {
              return .failure(.unreadable(error))
            }
          })
      }
    }
    return answers
  }

  /// How many queries fit into one request.
  private func batchSize() throws(ClassError) -> Int {
    min(try context.state(.capabilities).batchLimit ?? .max, ParseRequests.mostWrites)
  }

  private func bodies(
    _ queries: [ParseQuery], of className: String
  ) throws(ClassError) -> Answers<Data> {
    let works = try context.endingRun { () throws(SyncError) in
      try BatchProbe(context: context.stage).works()
    }
    if queries.count > 1, works { return try batched(queries, of: className) }
    let requests = try queries.map { query throws(ClassError) in
      try context.endingRun { () throws(SyncError) in
        try context.stage.request(query, of: className)
      }
    }
    var answers: Answers<Data> = ([], nil)
    for result in context.stage.transport.sendAll(requests, cancellation: context.cancellation) {
      do throws(ClassError) {
        let response = try StageContext.checked(result)
        answers.time = answers.time ?? response.date
        answers.results.append(.success(response.body))
      } catch {
        answers.results.append(.failure(try failure(of: error)))
      }
    }
    return answers
  }

  private func batched(
    _ queries: [ParseQuery], of className: String
  ) throws(ClassError) -> Answers<Data> {
    let request = try context.endingRun { () throws(SyncError) in
      try context.stage.request(reading: queries.map { (className, $0) })
    }
    let response = try context.stage.response(to: request)
    let bodies: [Result<Data, ParseError>]
    do throws(ParseError) {
      bodies = try ParseResponses().batchPages(response, count: queries.count)
    } catch {
      throw ClassError(error)
    }
    return (
      try bodies.map { body throws(ClassError) in
        switch body {
        case .success(let body): return .success(body)
        case .failure(let error): return .failure(try failure(of: ClassError(error)))
        }
      }, response.date
    )
  }

  private func failure(of error: ClassError) throws(ClassError) -> ClassFailure {
    switch error {
    case .endsRun: throw error
    case .failsClass(let failure): failure
    }
  }
}
