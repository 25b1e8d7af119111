// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

extension OperationQueue {
  /// Does work that blocks on a thread of the queue, and waits for it without a thread.
  ///
  /// - Parameters:
  ///   - cancellation: The task cancels it when the task itself is cancelled.
  ///   - work: The work, which heeds the cancellation.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  package func run<Answer: Sendable, Failure: Error>(
    until cancellation: CancellationSignal,
    _ work: @escaping @Sendable () throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let result: Result<Answer, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        addOperation {
          do throws(Failure) {
            continuation.resume(returning: .success(try work()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}
