// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

extension LiveConversation {
  /// Holds the conversation over a connection, and closes that in the end.
  ///
  /// A cancelled task closes it at once. All answers to the subscriptions have to come within `connectTimeout`.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - limits: Its limits.
  ///   - perform: Takes each step except a message to send, and ends the conversation with a result.
  /// - Returns: The result; nil if the connection ended before there was one.
  func held<Result>(
    over connection: any WebSocketConnection, _ limits: WebSocketLimits,
    perform: (Step, LiveConversation) -> Result?
  ) async -> Result? {
    var conversation = self
    defer { connection.close() }
    let deadline = Task {
      try await Task.sleep(for: limits.connectTimeout)
      connection.close()
    }
    defer { deadline.cancel() }
    return await withTaskCancellationHandler {
      for await event in connection.events {
        for step in conversation.take(event) {
          if case .send(let text) = step { connection.send(text) }
          if step == .listen { deadline.cancel() }
          if let result = perform(step, conversation) { return result }
        }
      }
      return nil
    } onCancel: {
      connection.close()
    }
  }
}
