// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import Synchronization

/// The results that a store keeps, for all threads.
final class KeptResults: Sendable {
  /// How long a server that could not be reached is not asked again, unless an answer must be fresh.
  static let pause: TimeInterval = 10

  /// The source of an answer.
  enum Need {
    /// The store answers.
    case nothing
    /// The store answers, because the server could not be reached a moment ago.
    case waiting(SyncError)
    case server
  }

  private struct State {
    var notes = ResultNotes()
    var isLoaded = false
    /// How many callers use each result.
    var pins: [String: Int] = [:]
    var failure: (error: SyncError, time: Date)?
  }

  private let state = Mutex(State())
  private let file: NotesFile?

  init(file: NotesFile?) { self.file = file }

  func pin(_ name: String) { withNotes { $0.pins[name, default: 0] += 1 } }

  func unpin(_ name: String) {
    withNotes { state in
      let count = (state.pins[name] ?? 1) - 1
      state.pins[name] = count > 0 ? count : nil
    }
  }

  /// Whether the server must be asked for an answer.
  func need(
    for question: String, named name: String, _ freshness: BackendStore.Freshness,
    lacksRows: Bool, token: Int64, at now: Date
  ) -> Need {
    withNotes { state in
      switch freshness {
      case .local: return .nothing
      case .always: return .server
      case .within(let duration):
        if !lacksRows, let note = state.notes[name], note.question == question, note.isComplete,
          // A store that went back to a backup has lost rows.
          note.token <= token, now >= note.askedAt,
          now.timeIntervalSince(note.askedAt) <= duration / .seconds(1)
        {
          return .nothing
        }
        guard let (error, time) = state.failure, now >= time,
          now.timeIntervalSince(time) < Self.pause
        else { return .server }
        return .waiting(error)
      }
    }
  }

  /// The result of the question; nil if none is kept.
  func note(of question: String, named name: String) -> KeptResult? {
    withNotes { state in state.notes[name].flatMap { $0.question == question ? $0 : nil } }
  }

  /// Notes that all rows of the result were in the store at a position in its history.
  func found(_ name: String, for question: String, at token: Int64) {
    withNotes { state in
      if state.notes[name]?.question == question { state.notes.found(name, at: token) }
    }
  }

  /// Notes a use, and returns the result of the question.
  func use(_ name: String, for question: String) -> KeptResult? {
    withNotes { state in
      guard state.notes[name]?.question == question else { return nil }
      return state.notes.use(name)
    }
  }

  func keep(_ result: KeptResult, named name: String) {
    withNotes { state in
      state.failure = nil
      state.notes.keep(result, named: name)
    }
  }

  func note(_ error: SyncError, at time: Date) { withNotes { $0.failure = (error, time) } }

  func leaving(of rows: Set<RowName>, size: Int) -> Set<RowName> {
    withNotes { $0.notes.leaving(of: rows, size: size, pinned: Set($0.pins.keys)) }
  }

  func save() {
    guard let file else { return }
    withNotes { file.save($0.notes) }
  }

  /// Changes the state; the first caller loads the file.
  private func withNotes<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      if !state.isLoaded {
        state.isLoaded = true
        if let notes = file?.load() { state.notes = notes }
      }
      return body(&state)
    }
  }
}
