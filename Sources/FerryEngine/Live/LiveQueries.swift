// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
import FerryParse
import FerryStore
public import Foundation
import Synchronization

/// Wakes a coordinator that runs by itself as soon as the server tells that records changed.
///
/// Use it where an app should show the changes of others within a second. Import `FerryLive`, which brings the
/// websocket:
///
/// ```swift
/// let live = LiveQueries(of: coordinator)
/// await withDiscardingTaskGroup { group in
///   group.addTask { await coordinator.run() }
///   group.addTask { await live.run() }
/// }
/// ```
///
/// The server needs `liveQuery` with the names of its classes, and `startLiveQueryServer`. A class that it does not publish is
/// subscribed to without an error, and wakes nothing. An event wakes a sync of its class, and changes no row by
/// itself: an event that is missed, doubled, late or forged costs a sync at most. Without a connection, everything
/// works as before, at the intervals of `SyncSchedule`.
public final class LiveQueries: Sendable {
  private let coordinator: SyncCoordinator
  private let transport: any WebSocketTransport
  private let address: URL?
  private let limits: WebSocketLimits
  private let present = Mutex(LiveState.connecting)
  private let changes = Broadcast<Void>()

  /// Describes live queries; it connects to nothing.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator to wake; its server, session and classes are those of the live queries.
  ///   - transport: Opens the websocket.
  ///   - address: The address of the server's live queries, with the scheme `ws` or `wss`; nil for that of the server itself.
  ///   - limits: The limits of the connection.
  public init(
    of coordinator: SyncCoordinator, transport: any WebSocketTransport, address: URL? = nil,
    limits: WebSocketLimits = WebSocketLimits()
  ) {
    self.coordinator = coordinator
    self.transport = transport
    self.address = address
    self.limits = limits
  }

  /// How it stands.
  ///
  /// Any thread may ask.
  public var state: LiveState { present.withLock { $0 } }

  /// A new stream of the states from now on; a listener that is slow gets the newest one.
  public var states: AsyncStream<LiveState> {
    let changes = changes.stream()
    return AsyncStream { continuation in
      continuation.yield(state)
      let task = Task {
        for await _ in changes { continuation.yield(state) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Keeps a connection until the task is cancelled; then it returns within half a second.
  ///
  /// After the end of a connection it opens the next one, at first within a second, and later within half a minute. Call it once.
  public func run() async {
    var failures = 0
    while !Task.isCancelled {
      enter(.connecting)
      let ending = await converse { failures = 0 }
      guard !Task.isCancelled else { break }
      failures += 1
      let pause = LivePause.after(
        ending, failures: failures, jitter: coordinator.environment.chance())
      enter(.waiting(pause, because: ending.reason))
      try? await Task.sleep(for: pause)
    }
    enter(.ended)
  }

  private func enter(_ state: LiveState) {
    present.withLock { $0 = state }
    changes.send(())
  }

  /// Holds one conversation to its end.
  private func converse(listening: () -> Void) async -> LiveEnding {
    let server: ParseServer
    let subscriptions: [LiveSubscription]
    do {
      server = try await presentSession()
      subscriptions = try LiveSubscription.all(of: coordinator.store.schema)
    } catch let error as LiveEnding {
      return error
    } catch {
      return LiveEnding(.refused, "\(error)")
    }
    guard let url = address ?? server.liveQueryAddress else {
      return LiveEnding(.refused, "The address of the server has no host.")
    }
    let herald = LiveHerald(coordinator)
    let telling = Task { await herald.run() }
    defer { telling.cancel() }
    let conversation = LiveConversation(
      greeting: server.liveQueryGreeting, secrets: server.headers().secrets, subscriptions)
    let ending = await conversation.held(
      over: transport.connect(to: url, limits: limits), limits
    ) { step, conversation -> LiveEnding? in
      switch step {
      case .send: break
      case .listen:
        listening()
        enter(.listening(conversation.classes, refused: conversation.refusals))
        herald.hear(everythingIn: conversation.classes)
      case .hear(let className, let news): herald.hear(news, of: className)
      case .end(let ending): return ending
      }
      return nil
    }
    return ending ?? LiveEnding(.lost, "The connection ended.")
  }

  /// The server in the session of this moment; ends at once when the task is cancelled.
  private func presentSession() async throws(LiveEnding) -> ParseServer {
    let (server, limit) = (coordinator.server, coordinator.options.sessionTimeout)
    guard server.sessionToken != nil else { return server }
    let cancellation = CancellationSignal()
    do {
      return try await OperationQueue().run(until: cancellation) {
        () throws(AppAnswerError) in
        try server.inPresentSession(within: limit, cancellation: cancellation)
      }
    } catch {
      throw LiveEnding(.refused, "The app gave no token of a session, or not within \(limit).")
    }
  }
}
