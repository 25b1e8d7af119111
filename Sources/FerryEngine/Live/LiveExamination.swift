// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
public import FerryModel
public import FerryParse
public import Foundation

/// A look at the live queries of a server, before an app relies on them.
///
/// Import `FerryLive` for `WebSocketClient`:
///
/// ```swift
/// let findings = await LiveExamination.run(of: server, schema: schema, over: WebSocketClient())
/// print(findings.failure ?? "The server accepts live queries of \(findings.accepted.sorted()).")
/// ```
///
/// A server accepts the live query of a class that it does not publish, and no answer shows that: its option
/// `liveQuery.classNames` decides (Parse Server 9). The examination changes nothing, and hears no change of a record.
public struct LiveExamination: Sendable, Equatable {
  /// The classes whose live queries the server accepts.
  public var accepted: Set<String> = []
  /// The classes whose live queries the server refuses, with its reasons.
  public var refused: [String: String] = [:]
  /// Why the server takes no live queries, as a sentence; nil where it does.
  public var failure: String?

  /// Connects, asks for the live query of each class that a sync lists, and closes the connection.
  ///
  /// It returns early if the task is cancelled, with a failure. Any thread may call it.
  ///
  /// - Parameters:
  ///   - server: The server, with its keys and its session; its closure for a session token is not called.
  ///   - schema: The classes.
  ///   - transport: Opens the websocket.
  ///   - address: The address of the server's live queries, with the scheme `ws` or `wss`; nil for that of the server itself.
  ///   - limits: The limits of the connection; all answers have to come within `connectTimeout`.
  /// - Returns: The findings.
  public static func run(
    of server: ParseServer, schema: Schema, over transport: any WebSocketTransport,
    address: URL? = nil, limits: WebSocketLimits = WebSocketLimits()
  ) async -> LiveExamination {
    guard let url = address ?? server.liveQueryAddress else {
      return LiveExamination(failure: "The address of the server has no host.")
    }
    do {
      let subscriptions = try LiveSubscription.all(of: schema)
      let conversation = LiveConversation(
        greeting: server.liveQueryGreeting, secrets: server.headers().secrets, subscriptions)
      let findings = await conversation.held(
        over: transport.connect(to: url, limits: limits), limits, perform: findings)
      return findings
        ?? LiveExamination(failure: "The connection ended before all answers came.")
    } catch {
      return LiveExamination(failure: "\(error)")
    }
  }

  /// The findings, once all answers are here.
  private static func findings(
    at step: LiveConversation.Step, of conversation: LiveConversation
  ) -> LiveExamination? {
    switch step {
    case .send, .hear: nil
    case .listen:
      LiveExamination(accepted: conversation.classes, refused: conversation.refusals)
    case .end(let ending): LiveExamination(failure: ending.reason)
    }
  }
}
