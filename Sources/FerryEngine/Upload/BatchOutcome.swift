// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning

/// The outcomes of all writes of a batch, and whether sending continues.
struct BatchOutcome {
  let items: [WriteOutcome]
  /// Whether a request of several writes failed as a whole, so that each of them may be the cause.
  private(set) var isShared = false
  /// The error that every further request would also get.
  private(set) var ending: SyncError?
  /// Whether the server would accept, or finish, a smaller batch.
  private(set) var wantsSmaller = false

  init(
    _ operations: [WriteOperation], _ result: Result<HTTPResponse, HTTPError>, now: Timestamp
  ) {
    let response: HTTPResponse
    do {
      response = try result.get()
    } catch {
      items = operations.map { _ in .failure(WriteFailure(error)) }
      isShared = operations.count > 1
      wantsSmaller = error.code == .timeout
      if error.code != .timeout && error.code != .connectionLost { ending = SyncError(error) }
      return
    }
    do {
      let results = try Self.results(operations, response)
      items = zip(operations, results).map { operation, result in
        result.map { Acknowledgement($0, now: now) }
          .mapError { WriteFailure($0.answering(operation)) }
      }
      ending = results.lazy.compactMap { $0.failure.flatMap(SyncError.init(endingRun:)) }.first
    } catch {
      items = operations.map { .failure(WriteFailure(error.answering($0))) }
      isShared = operations.count > 1
      wantsSmaller =
        error.meaning == .tooLarge || error.meaning == .outcomeUnknown(mayStillRun: true)
      ending = SyncError(endingRun: error)
    }
  }

  private static func results(
    _ operations: [WriteOperation], _ response: HTTPResponse
  ) throws(ParseError) -> [Result<WriteAnswer, ParseError>] {
    guard operations.count == 1 else { return try ParseResponses().batch(operations, response) }
    return [.success(try ParseResponses().write(operations[0], response))]
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
