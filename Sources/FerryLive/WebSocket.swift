// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import Synchronization

/// A websocket, as the app's side and the library's thread share it.
final class WebSocket: WebSocketConnection {
  private struct Content {
    /// The library's context, while its thread works.
    var context: SleepingContext?
    var unsent: [String] = []
    var isClosing = false
  }

  let events: AsyncStream<WebSocketEvent>
  private let event: AsyncStream<WebSocketEvent>.Continuation
  private let content: Mutex<Content>

  init(waitingMessages: Int) {
    // Two more, for the beginning and the end.
    (events, event) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(waitingMessages + 2))
    content = Mutex(Content())
  }

  func send(_ text: String) { change { $0.unsent.append(text) } }

  func close() { change { $0.isClosing = true } }

  private func change(_ body: (inout Content) -> Void) {
    content.withLock { content in
      guard !content.isClosing else { return }
      body(&content)
      content.context?.wakeUp()
    }
  }
}

/// The side of the library's thread.
extension WebSocket {
  var isClosing: Bool { content.withLock { $0.isClosing } }

  /// Lets the app's side wake the context up; nil before the context goes.
  func serve(_ context: SleepingContext?) { content.withLock { $0.context = context } }

  /// The next text to send, and whether there are more.
  func nextText() -> (text: String?, hasMore: Bool) {
    content.withLock { content in
      guard !content.unsent.isEmpty else { return (nil, false) }
      return (content.unsent.removeFirst(), !content.unsent.isEmpty)
    }
  }

  var hasText: Bool { content.withLock { !$0.unsent.isEmpty } }

  /// Gives an event to the app's side; false where too many wait there.
  @discardableResult
  func report(_ event: WebSocketEvent) -> Bool {
    if case .enqueued(let room) = self.event.yield(event) { room > 0 } else { false }
  }

  func end(because reason: String) {
    content.withLock { content in
      content.isClosing = true
      content.unsent = []
    }
    event.yield(.closed(reason: reason))
    event.finish()
  }
}
