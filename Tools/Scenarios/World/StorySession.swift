// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Synchronization

/// How an app fails to give a token that the server takes.
enum TokenFault: CaseIterable, Sendable {
  /// The app gives a token that the server does not know.
  case refused
  /// The app throws an error of its own.
  case unavailable
  /// The app does not answer.
  case late

  /// The words of the notation, behind `token`.
  var phrase: String {
    switch self {
    case .refused: "is refused"
    case .unavailable: "cannot be had"
    case .late: "never comes"
    }
  }
}

/// Who is logged in on a device, as its app says when a sync asks for the token.
final class StorySession: Sendable {
  enum State: Sendable {
    case nobody
    case token(Secret)
    case fault(TokenFault)
  }

  private struct Mishap: Error {}

  private let state = Mutex(State.nobody)

  func set(_ state: State) { self.state.withLock { $0 = state } }

  func token() async throws -> Secret? {
    switch state.withLock({ $0 }) {
    case .nobody: return nil
    case .token(let token): return token
    case .fault(.refused): return Secret("r:00000000000000000000000000000000")
    case .fault(.unavailable): throw Mishap()
    case .fault(.late):
      try await Task.sleep(for: .seconds(86_400))
      return nil
    }
  }
}
