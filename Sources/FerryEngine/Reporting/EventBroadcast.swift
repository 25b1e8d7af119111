// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// Passes each event of a run to every listener, from the first event on, no matter when a listener
/// starts.
///
/// For later listeners it keeps only the newest progress of each class in each stage, and of each file, so that
/// memory does not grow with the number of pages.
final class EventBroadcast: Sendable {
  fileprivate struct State {
    var past: [SyncEvent] = []
    var listeners: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
    var nextListener = 0
    var isFinished = false
  }

  fileprivate let state = Mutex(State())
  /// Receives each event, on the thread that sends it.
  private let observer: @Sendable (SyncEvent) -> Void

  init(observer: @escaping @Sendable (SyncEvent) -> Void = { _ in }) { self.observer = observer }

  func send(_ event: SyncEvent) {
    observer(event)
    state.withLock { state in
      guard !state.isFinished else { return }
      state.remember(event)
      for listener in state.listeners.values { listener.yield(event) }
    }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  /// All events so far, followed by the next ones.
  func stream() -> AsyncStream<SyncEvent> {
    let (stream, listener) = AsyncStream.makeStream(of: SyncEvent.self)
    let number = state.withLock { state -> Int? in
      for event in state.past { listener.yield(event) }
      guard !state.isFinished else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = listener
      return state.nextListener
    }
    guard let number else {
      listener.finish()
      return stream
    }
    listener.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }
}

extension EventBroadcast.State {
  fileprivate mutating func remember(_ event: SyncEvent) {
    if case .progress(let new) = event, case .progress(let last)? = past.last,
      new.stage == last.stage, new.className == last.className
    {
      past[past.count - 1] = event
    } else if case .sendingFile(let new) = event, case .sendingFile(let last)? = past.last,
      new.name == last.name
    {
      past[past.count - 1] = event
    } else {
      past.append(event)
    }
  }
}
