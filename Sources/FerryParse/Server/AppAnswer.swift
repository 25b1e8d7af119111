// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import FerryHTTP
import Synchronization

/// Waits on a thread of the engine for an `async` closure of the app.
///
/// The app's task runs on Swift's pool, so the waiting thread must be none of that pool. An app that never answers holds
/// its own task, but not the engine.
final class AppAnswer<Answer: Sendable>: Sendable {
  private let result = Mutex<Result<Answer, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  private init() {}

  private func end(with result: Result<Answer, any Error>) {
    self.result.withLock { $0 = result }
    ended.signal()
  }

  /// Waits until the app has answered, the time is over, or the work is cancelled.
  static func wait(
    within limit: Duration, cancellation: CancellationSignal,
    for body: @escaping @Sendable () async throws -> Answer
  ) throws(AppAnswerError) -> Answer {
    let answer = AppAnswer()
    let task = Task {
      do {
        answer.end(with: .success(try await body()))
      } catch {
        answer.end(with: .failure(error))
      }
    }
    let registration = cancellation.onCancel { answer.ended.signal() }
    defer { registration.end() }
    let isLate = answer.ended.wait(timeout: .now() + limit.timeInterval) == .timedOut
    if !cancellation.isCancelled, let result = answer.result.withLock({ $0 }) {
      do {
        return try result.get()
      } catch {
        throw .thrown(error)
      }
    }
    task.cancel()
    throw isLate ? .late(limit) : .cancelled
  }
}

extension Duration {
  /// The seconds, as Dispatch counts them.
  fileprivate var timeInterval: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
