// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Runs stages one after another, on an operation queue or on the calling thread.
struct Pipeline {
  let stages: [any Stage]

  /// Starts the chain and returns at once; without a queue, returns when the chain has ended.
  ///
  /// The last operation's completion block reports the end; it runs however the operation ends. On
  /// Linux, a barrier would not survive a cancelled queue.
  func start(
    in context: StageContext, on queue: OperationQueue?,
    ended: @escaping @Sendable (SyncError?) -> Void
  ) {
    let failure = FirstFailure()
    var operations: [StageOperation] = []
    for stage in stages {
      let operation = StageOperation(stage, in: context, failure: failure)
      if let previous = operations.last { operation.addDependency(previous) }
      operations.append(operation)
    }
    guard let queue else {
      for operation in operations { operation.main() }
      return ended(failure.error)
    }
    guard let last = operations.last else { return ended(nil) }
    last.completionBlock = { ended(failure.error) }
    queue.addOperations(operations, waitUntilFinished: false)
  }
}
