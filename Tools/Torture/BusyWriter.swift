// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import Synchronization

/// A thread of an app that inserts rows `w1`, `w2`, … without a pause.
final class BusyWriter: Sendable {
  struct Result {
    var count = 0
    /// The longest time of a write, in milliseconds.
    var longest = 0
    var failure: String?
  }

  private let store: SQLiteStore
  private let isOver = Atomic(false)
  private let result = Mutex(Result())
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ store: SQLiteStore) { self.store = store }

  func begin() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) { write() }
      hasEnded.signal()
    }
  }

  private func write() {
    let number = result.withLock { $0.count + 1 }
    let start = ContinuousClock.now
    var failure: String?
    do {
      try store.write { db in
        _ = try db.insert("Game", ["title": .string("w\(number)"), "score": 2])
      }
    } catch {
      failure = "\(error)"
    }
    let time = Int((ContinuousClock.now - start) / .milliseconds(1))
    result.withLock { result in
      result.longest = max(result.longest, time)
      if let failure { result.failure = failure } else { result.count = number }
    }
  }

  /// Stops the thread after its present write.
  func end() -> Result {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
    return result.withLock { $0 }
  }
}
