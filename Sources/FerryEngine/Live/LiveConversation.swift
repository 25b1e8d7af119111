// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import Foundation

/// The conversation over one websocket, as a value: events go in, steps come out.
struct LiveConversation {
  /// A step that an event asks for.
  enum Step: Equatable {
    case send(String)
    /// Each class is subscribed to, or refused: records that changed earlier were not told.
    case listen
    /// A record of a class changed.
    case hear(className: String, LiveMessage.News)
    /// The conversation has no use any more.
    case end(LiveEnding)
  }

  private let greeting: String
  private let secrets: [String]
  private let subscriptions: [Int: LiveSubscription]
  private let reader: JSONReader
  private var unanswered: Set<Int>
  private var isConnected = false
  /// The reasons of the server, for the classes that it does not publish to this client.
  private(set) var refusals: [String: String] = [:]

  /// Begins a conversation.
  ///
  /// - Parameters:
  ///   - greeting: The message that names the app, its keys and the session.
  ///   - secrets: Those keys and that session, which a server may repeat in its words.
  ///   - subscriptions: The live queries to ask for.
  init(greeting: String, secrets: [String], _ subscriptions: [LiveSubscription]) {
    self.greeting = greeting
    self.secrets = secrets
    self.subscriptions = Dictionary(uniqueKeysWithValues: subscriptions.map { ($0.request, $0) })
    var limits = JSONReader.Limits()
    limits.depth = 32
    reader = JSONReader(limits: limits)
    unanswered = Set(subscriptions.map(\.request))
  }

  /// The classes whose changes the server tells.
  var classes: Set<String> {
    Set(subscriptions.values.filter { !unanswered.contains($0.request) }.map(\.className))
      .subtracting(refusals.keys)
  }

  /// Takes an event of the websocket.
  mutating func take(_ event: WebSocketEvent) -> [Step] {
    switch event {
    case .opened: [.send(greeting)]
    case .closed(let reason): [.end(LiveEnding(.lost, reason))]
    case .text(let text): LiveMessage(text, reader).map { take($0) } ?? []
    }
  }

  private mutating func take(_ message: LiveMessage) -> [Step] {
    switch message {
    case .connected:
      guard !isConnected else { return [] }
      isConnected = true
      let messages = subscriptions.values.sorted { $0.request < $1.request }.map(\.message)
      return messages.map(Step.send) + (messages.isEmpty ? [.listen] : [])
    case .subscribed(let request): return answered(request)
    case .news(let request, let news):
      guard let subscription = subscriptions[request] else { return [] }
      return [.hear(className: subscription.className, news)]
    case .refusal(let request?, let code, let reason, _):
      guard let subscription = subscriptions[request], unanswered.contains(request) else {
        return []
      }
      refusals[subscription.className] = "\(told(reason)) (code \(code))."
      return answered(request)
    case .refusal(nil, let code, let reason, let mayTryAgain):
      return [
        .end(
          LiveEnding(
            mayTryAgain ? .lost : .refused, "The server refused: \(told(reason)) (code \(code))."))
      ]
    }
  }

  /// The server's words without the app's secrets.
  private func told(_ words: String) -> String {
    secrets.reduce(words) { $0.replacing($1, with: "•••") }
  }

  private mutating func answered(_ request: Int) -> [Step] {
    guard unanswered.remove(request) != nil else { return [] }
    return unanswered.isEmpty ? [.listen] : []
  }
}
