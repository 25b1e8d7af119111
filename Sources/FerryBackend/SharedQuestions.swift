// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The questions to the server, one after another; equal ones at the same time are one.
///
/// One after another, so that none evicts rows that another has just brought. The coordinator would let them take turns anyway.
final class SharedQuestions: Sendable {
  private typealias Waiting = CheckedContinuation<Void, any Error>

  private struct Question {
    let number: Int
    let task: Task<Void, Never>
    var waiting: [Int: Waiting] = [:]
    /// Callers that joined, and do not wait yet.
    var arriving = Set<Int>()
  }

  private struct State {
    var questions: [String: Question] = [:]
    var lastNumber = 0
    /// The end of all questions so far.
    var last: Task<Void, Never>?

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Mutex(State())

  /// Waits for the answer to a question, which is asked unless an equal one is under way.
  ///
  /// - Parameters:
  ///   - key: The same for equal questions.
  ///   - work: Asks the question.
  /// - Throws: The error of the question, and `CancellationError` if the task is cancelled.
  func ask(_ key: String, _ work: @escaping @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let caller = join(key, work)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Waiting) in
        let isOver = state.withLock { state in
          guard state.questions[key]?.arriving.remove(caller) != nil else { return true }
          state.questions[key]?.waiting[caller] = continuation
          return false
        }
        // The caller was cancelled before it waited.
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      leave(key, caller)
    }
  }

  /// Joins a question that is under way, or begins it; returns the caller's number.
  private func join(_ key: String, _ work: @escaping @Sendable () async throws -> Void) -> Int {
    state.withLock { state in
      let caller = state.nextNumber()
      if state.questions[key]?.task.isCancelled == false {
        state.questions[key]?.arriving.insert(caller)
        return caller
      }
      let number = state.nextNumber()
      let task = Task { [last = state.last] in
        await last?.value
        let result: Result<Void, any Error>
        do {
          try Task.checkCancellation()
          result = .success(try await work())
        } catch {
          result = .failure(error)
        }
        await self.end(key, number, result)
      }
      state.last = task
      state.questions[key] = Question(number: number, task: task, arriving: [caller])
      return caller
    }
  }

  /// Gives the answer to all who wait, also to those who are about to.
  private func end(_ key: String, _ number: Int, _ result: Result<Void, any Error>) async {
    while true {
      let (waiting, isDone) = state.withLock { state -> ([Waiting], Bool) in
        guard var question = state.questions[key], question.number == number else {
          return ([], true)
        }
        let waiting = Array(question.waiting.values)
        question.waiting = [:]
        let isDone = question.arriving.isEmpty
        state.questions[key] = isDone ? nil : question
        return (waiting, isDone)
      }
      for continuation in waiting { continuation.resume(with: result) }
      if isDone { return }
      await Task.yield()
    }
  }

  /// Ends the wait of a caller, and the question if nobody else waits for it.
  private func leave(_ key: String, _ caller: Int) {
    let continuation = state.withLock { state -> Waiting? in
      guard var question = state.questions[key] else { return nil }
      let wasArriving = question.arriving.remove(caller) != nil
      let continuation = question.waiting.removeValue(forKey: caller)
      guard wasArriving || continuation != nil else { return nil }
      if question.arriving.isEmpty, question.waiting.isEmpty { question.task.cancel() }
      state.questions[key] = question
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}
