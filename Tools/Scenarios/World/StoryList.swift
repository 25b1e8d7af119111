// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import FerryModel
import FerryStore
import Synchronization

/// A list that an app shows while others commit.
///
/// It follows the store as `Store.observe` does, and also notes how far it has looked, so that a story waits for no
/// longer than it must. At each look it holds what it shows against the query: a commit that it missed fails the
/// story, and so does a list that is no other than the one before.
final class StoryList: Sendable {
  private struct State {
    var look: QueryLook
    /// The rows that the list shows; nil before its first look.
    var shown: [Record]?
    /// Whether the list has changed since the last look of the story.
    var isNew = false
    /// The state of the store at the last look.
    var mark: StoreMark?
    /// Whether the app takes nothing of the list.
    var isAway = false
    /// How often the list has looked at the store since the app went away.
    var looksWhileAway = 0
    /// Lets the app take the next list; nil while it waits for that list.
    var wake: CheckedContinuation<Void, Never>?
    var fault: String?
    /// Why the store ended the list.
    var refusal: StoreError?

    /// Counts a look while nobody reads: the app may have waited for that list, and no further one may queue up.
    mutating func countWhileAway() {
      guard isAway else { return }
      looksWhileAway += 1
      if looksWhileAway > 1 { fault = "looks again although nobody has read what it saw" }
    }
  }

  /// The state in a place of its own, so that the observation does not keep the list.
  private final class Looks: Sendable {
    let state: Mutex<State>
    let hasLooked = DispatchSemaphore(value: 0)

    init(_ query: Query) { state = Mutex(State(look: QueryLook(query))) }

    /// Looks once.
    func look(in reader: any SyncReader, for query: Query) throws {
      try state.withLock { state in
        let list = try state.look.next(in: reader)
        let present = try reader.records(query)
        if list.map({ $0 == state.shown }) == true { state.fault = "changed without a change" }
        if list ?? state.shown != present { state.fault = "does not show what the store holds" }
        if let list { (state.shown, state.isNew) = (list, true) }
        state.mark = try reader.mark()
        state.countWhileAway()
      }
    }

    /// Waits as long as the app is away.
    func attention() async {
      await withCheckedContinuation { continuation in
        let isAway = state.withLock { state in
          if state.isAway { state.wake = continuation }
          return state.isAway
        }
        if !isAway { continuation.resume() }
      }
    }

    func comeBack() {
      let wake = state.withLock { state in
        defer { (state.isAway, state.looksWhileAway, state.wake) = (false, 0, nil) }
        return state.wake
      }
      wake?.resume()
    }
  }

  let query: Query
  private let store: any SyncStore
  private let looks: Looks
  private let following: Task<Void, Never>

  init(_ query: Query, of store: any SyncStore) {
    (self.query, self.store) = (query, store)
    let looks = Looks(query)
    self.looks = looks
    // Each look counts as another value, so that each one is heard of.
    let count = Mutex(0)
    let observation = store.observing { reader in
      try looks.look(in: reader, for: query)
      return count.withLock { count in
        count += 1
        return count
      }
    }
    following = Task {
      do {
        for try await _ in observation {
          looks.hasLooked.signal()
          await looks.attention()
        }
      } catch {
        looks.state.withLock { state in
          state.refusal = error as? StoreError
          state.fault = "ended: \(error)"
        }
        looks.hasLooked.signal()
      }
    }
  }

  deinit {
    following.cancel()
    looks.comeBack()
  }

  /// Takes nothing of the list until the next call of `news()`.
  ///
  /// The app may wait for a list already, and gets that one.
  func lookAway() { looks.state.withLock { $0.isAway = true } }

  /// Waits until the list has seen the last commit, unless the app looks away.
  ///
  /// - Throws: The error of a store that refuses the query or has ended the list, and a fault of the list.
  func settle() throws {
    guard looks.state.withLock({ !$0.isAway }) else { return }
    let present = try store.syncRead { reader throws(StoreError) in try reader.mark() }
    while true {
      let (mark, fault, refusal) = looks.state.withLock { ($0.mark, $0.fault, $0.refusal) }
      if let refusal { throw refusal }
      if let fault { throw StoryFault("a list of \(query.className) \(fault)") }
      guard mark != present else { return }
      guard looks.hasLooked.wait(timeout: .now() + 30) == .success else {
        throw StoryFault("a list of \(query.className) heard of no commit")
      }
    }
  }

  /// The rows, if they have changed since the last call.
  func news() throws -> [Record]? {
    looks.comeBack()
    try settle()
    return looks.state.withLock { state in
      defer { state.isNew = false }
      return state.isNew ? state.shown : nil
    }
  }
}
