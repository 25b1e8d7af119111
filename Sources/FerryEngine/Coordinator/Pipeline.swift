// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Chains stages on an operation queue, each after the one before it.
struct Pipeline {
  let stages: [any Stage]

  /// Starts the chain and returns at once.
  ///
  /// The end is learned from the last operation's completion block, which runs for every way an
  /// operation can end; a barrier would not survive a cancelled queue on Linux.
  func start(
    in context: StageContext, on queue: OperationQueue,
    ended: @escaping @Sendable (SyncError?) -> Void
  ) {
    let failure = FirstFailure()
    var operations: [StageOperation] = []
    for stage in stages {
      let operation = StageOperation(stage, in: context, failure: failure)
      if let previous = operations.last { operation.addDependency(previous) }
      operations.append(operation)
    }
    guard let last = operations.last else { return ended(nil) }
    last.completionBlock = { ended(failure.error) }
    queue.addOperations(operations, waitUntilFinished: false)
  }
}
