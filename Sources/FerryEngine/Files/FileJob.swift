// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import FerryHTTP
import Synchronization

/// The download of one file, for all who wait for it.
final class FileJob: Sendable {
  private struct State {
    var result: Result<KeptFile, FileError>?
    var progress: FileProgress?
    var holders = 1
    var lastNumber = 0
    var waiting: [Int: Waiting] = [:]
    /// The waits that were given up before they began.
    var givenUp: Set<Int> = []
    var listeners: [AsyncStream<FileProgress>.Continuation] = []
  }

  /// A wait for the end: resumed with nil where it was given up.
  private typealias Waiting = CheckedContinuation<Result<KeptFile, FileError>?, Never>

  let cancellation = CancellationSignal()
  /// Signals the end to the one job that follows.
  private let ended = DispatchSemaphore(value: 0)
  private let state: Mutex<State>

  /// A job that has not begun, or one that was over before.
  init(_ result: Result<KeptFile, FileError>? = nil) {
    state = Mutex(State(result: result))
  }

  /// Joins those who want the file; false if all of them have left, or the job is over.
  func join() -> Bool {
    state.withLock { state in
      guard state.holders > 0, state.result == nil else { return false }
      state.holders += 1
      return true
    }
  }

  /// Leaves them; the last one who leaves stops the job.
  func leave() {
    let isLast = state.withLock { state in
      state.holders -= 1
      return state.holders == 0
    }
    if isLast { cancellation.cancel() }
  }

  func note(_ progress: FileProgress) {
    state.withLock { state in
      state.progress = progress
      for listener in state.listeners { listener.yield(progress) }
    }
  }

  func end(_ result: Result<KeptFile, FileError>) {
    let (waiting, listeners) = state.withLock { state in
      state.result = result
      defer { (state.waiting, state.listeners) = ([:], []) }
      return (state.waiting.values, state.listeners)
    }
    ended.signal()
    for listener in listeners { listener.finish() }
    for continuation in waiting { continuation.resume(returning: result) }
  }

  /// Blocks until the job is over, for the job of the same file that follows it.
  func waitForEnd() { ended.wait() }

  /// The newest progress, then each further one; a slow listener misses some.
  func stream() -> AsyncStream<FileProgress> {
    let (stream, listener) = AsyncStream.makeStream(
      of: FileProgress.self, bufferingPolicy: .bufferingNewest(1))
    let isOver = state.withLock { state in
      if let progress = state.progress { listener.yield(progress) }
      if state.result == nil { state.listeners.append(listener) }
      return state.result != nil
    }
    if isOver { listener.finish() }
    return stream
  }

  /// A number for a wait.
  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// How the job ended, once it has; nil if the wait is given up before.
  func result(as number: Int) async -> Result<KeptFile, FileError>? {
    await withCheckedContinuation { continuation in
      let (isOver, result) = state.withLock { state in
        let isOver = state.result != nil || state.givenUp.remove(number) != nil
        if !isOver { state.waiting[number] = continuation }
        return (isOver, state.result)
      }
      if isOver { continuation.resume(returning: result) }
    }
  }

  /// Ends a wait, which may not have begun.
  func giveUp(_ number: Int) {
    let waiting = state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: number)
      if waiting == nil { state.givenUp.insert(number) }
      return waiting
    }
    waiting?.resume(returning: nil)
  }
}
