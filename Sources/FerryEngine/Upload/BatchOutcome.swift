// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

/// The outcomes of all writes of a batch, and whether sending continues.
struct BatchOutcome {
  var items: [WriteOutcome]
  /// The error that every further request would also get.
  var ending: SyncError?
  /// Whether the server would accept, or finish, a smaller batch.
  var wantsSmaller = false

  init(
    _ operations: [WriteOperation], isBatch: Bool, _ result: Result<HTTPResponse, HTTPError>
  ) {
    let response: HTTPResponse
    do {
      response = try result.get()
    } catch {
      items = operations.map { _ in WriteOutcome(error) }
      wantsSmaller = error.code == .timeout
      if error.code != .timeout && error.code != .connectionLost { ending = SyncError(error) }
      return
    }
    let responses = ParseResponses()
    do {
      guard isBatch else {
        items = try operations.map { operation throws(ParseError) in
          .done(try responses.write(operation, response))
        }
        return
      }
      let results = try responses.batch(operations, response)
      items = results.map(WriteOutcome.init)
      ending = results.lazy.compactMap { $0.failure.flatMap(SyncError.init(endingRun:)) }.first
    } catch {
      ending = SyncError(endingRun: error)
      wantsSmaller =
        error.meaning == .tooLarge || error.meaning == .outcomeUnknown(mayStillRun: true)
      items = operations.map { _ in WriteOutcome(error) }
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
