// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse

/// What became of all writes of a batch, and whether sending goes on.
struct BatchOutcome {
  var items: [WriteOutcome]
  /// What every further request would meet too.
  var ending: SyncError?
  /// Whether the server would take, or finish, a smaller batch.
  var wantsSmaller = false

  init(
    _ operations: [WriteOperation], isBatch: Bool, _ result: Result<HTTPResponse, HTTPError>
  ) throws {
    do {
      let response = try result.get()
      let responses = try ParseResponses()
      if isBatch {
        let results = try responses.batch(operations, response)
        items = results.map(WriteOutcome.init)
        ending = results.lazy.compactMap { $0.failure.flatMap(SyncError.init(endingRun:)) }.first
      } else {
        items = try operations.map { .done(try responses.write($0, response)) }
      }
    } catch let error as HTTPError {
      items = operations.map { _ in WriteOutcome(error) }
      wantsSmaller = error.code == .timeout
      if error.code != .timeout && error.code != .connectionLost { ending = SyncError(error) }
    } catch let error as ParseError {
      // Refused as a whole before anything in it has run: for its shape, or for holding more writes
      // than a rate limit allows, so that no waiting would help.
      let isTooMany =
        isBatch && operations.count > 1 && error.status == 400
        && (error.code == .invalidJSON || error.meaning == .rateLimited)
      ending = isTooMany ? nil : SyncError(endingRun: error)
      wantsSmaller = isTooMany || error.meaning == .tooLarge || error.status == 504
      items = operations.map { _ in isTooMany ? .tooLarge : WriteOutcome(error) }
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
