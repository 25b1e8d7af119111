// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import FerryStore
import Synchronization

/// An observation of an app whose closure throws at the next commit: it ends with the app's own error, and alone.
final class ThrowingListener: Sendable {
  private struct AppError: Error {}

  private enum Ending {
    case pending, asThrown
    case wrong(String)
  }

  private let store: any SyncStore
  private let first: StoreMark
  private let ending = Mutex(Ending.pending)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Begins, and waits for the first value.
  init(to store: any SyncStore) throws {
    self.store = store
    first = try store.syncRead { reader throws(StoreError) in try reader.mark() }
    let observation = store.observing { [first] reader in
      guard try reader.mark() == first else { throw AppError() }
      return true
    }
    let hasBegun = DispatchSemaphore(value: 0)
    Task { [weak self] in
      var ending = Ending.wrong("ended without an error")
      do {
        for try await _ in observation { hasBegun.signal() }
      } catch is AppError {
        ending = .asThrown
      } catch {
        ending = .wrong("ended with \(error)")
      }
      self?.end(ending)
    }
    guard hasBegun.wait(timeout: .now() + 30) == .success else {
      throw StoryFault("a listener that throws later got no value")
    }
  }

  private func end(_ ending: Ending) {
    self.ending.withLock { $0 = ending }
    hasEnded.signal()
  }

  /// Waits until the listener has ended, if there was a commit.
  func settle() throws {
    let mark = try store.syncRead { reader throws(StoreError) in try reader.mark() }
    guard mark != first, case .pending = ending.withLock(\.self) else { return }
    guard hasEnded.wait(timeout: .now() + 30) == .success else {
      throw StoryFault("a listener threw an error, and was not told of its end")
    }
    if case .wrong(let what) = ending.withLock(\.self) {
      throw StoryFault("a listener that threw an error \(what)")
    }
  }
}
