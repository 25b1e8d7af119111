// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// Carries a stage on an operation queue; the only subclass of `Operation` there is.
///
/// It overrides `main()` alone: on Linux that needs no key-value observing. It is never cancelled
/// through the queue; a cancelled run's stages return early by the context's signal.
final class StageOperation: Operation, @unchecked Sendable {
  // Unchecked because Operation is not marked Sendable on every platform; all stored properties
  // here are constants of Sendable types.
  private let stage: any Stage
  private let context: StageContext
  private let failure: FirstFailure

  init(_ stage: any Stage, in context: StageContext, failure: FirstFailure) {
    self.stage = stage
    self.context = context
    self.failure = failure
  }

  override func main() {
    guard failure.error == nil else { return }
    do {
      try context.checkCancellation()
      try runTimed()
    } catch {
      failure.note(error)
    }
  }

  private func runTimed() throws(SyncError) {
    guard let name = stage.name else { return try stage.run(in: context) }
    context.events.send(.stageStarted(name))
    let start = context.environment.uptime()
    try stage.run(in: context)
    let seconds = context.environment.uptime() - start
    context.ledger.stageEnded(name, seconds: seconds)
    context.events.send(.stageEnded(name, seconds: seconds))
  }
}
