// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryTestSupport
import Foundation
import Testing

@testable import FerryEngine

struct LiveConversationTests {
  private func conversation() throws -> LiveConversation {
    LiveConversation(
      greeting: "hello", secrets: ["r:secret-token"], try LiveSubscription.all(of: Sports.schema))
  }

  private func text(_ json: String) -> WebSocketEvent { .text(Data(json.utf8)) }

  @Test func `it greets, subscribes and listens`() throws {
    var conversation = try conversation()
    #expect(conversation.take(.opened) == [.send("hello")])
    let messages = conversation.take(text(#"{"op":"connected","clientId":"x"}"#))
    #expect(
      messages == [
        .send(
          #"{"op":"subscribe","query":{"className":"League","keys":["objectId"],"where":{}},"requestId":1}"#
        ),
        .send(
          #"{"op":"subscribe","query":{"className":"Game","keys":["objectId"],"where":{}},"requestId":2}"#
        ),
      ])
    #expect(conversation.take(text(#"{"op":"subscribed","requestId":2}"#)).isEmpty)
    #expect(conversation.take(text(#"{"op":"subscribed","requestId":2}"#)).isEmpty)
    #expect(conversation.take(text(#"{"op":"subscribed","requestId":1}"#)) == [.listen])
    #expect(conversation.classes == ["League", "Game"])
  }

  @Test func `a refused class is left out, and the reason has no secret`() throws {
    var conversation = try conversation()
    _ = conversation.take(text(#"{"op":"connected"}"#))
    _ = conversation.take(text(#"{"op":"subscribed","requestId":1}"#))
    let refusal =
      #"{"op":"error","code":119,"error":"not r:secret-token","reconnect":false,"requestId":2}"#
    #expect(conversation.take(text(refusal)) == [.listen])
    #expect(conversation.refusals == ["Game": "not ••• (code 119)."])
    #expect(conversation.classes == ["League"])
  }

  @Test func `an event names the record and its version`() throws {
    var conversation = try conversation()
    let update =
      #"{"op":"update","requestId":2,"object":{"objectId":"a","updatedAt":"2026-03-01T18:30:00.250Z"}}"#
    let version = ServerVersion(rawValue: "2026-03-01T18:30:00.250Z")
    #expect(
      conversation.take(text(update))
        == [.hear(className: "Game", LiveMessage.News(objectID: "a", version: version))])
    let delete =
      #"{"op":"delete","requestId":2,"object":{"objectId":"a","updatedAt":"2026-03-01T18:30:00.250Z"}}"#
    #expect(
      conversation.take(text(delete))
        == [.hear(className: "Game", LiveMessage.News(objectID: "a", isGone: true))])
  }

  @Test(arguments: [
    "", "x", "[]", "3", #"{"op":"update"}"#, #"{"op":"update","requestId":2}"#,
    #"{"op":"update","requestId":99,"object":{"objectId":"a"}}"#,
    #"{"op":"update","requestId":2,"object":{"objectId":7}}"#,
    #"{"op":"subscribed","requestId":"2"}"#, #"{"op":"gone"}"#,
    #"{"op":"error","code":1,"error":"x","requestId":99}"#,
  ])
  func `a message without a meaning has no consequence`(_ message: String) throws {
    var conversation = try conversation()
    #expect(conversation.take(text(message)).isEmpty)
  }

  @Test func `a refusal of all ends it, for a while or until a person helps`() throws {
    var conversation = try conversation()
    let steps = conversation.take(
      text(#"{"op":"error","code":4,"error":"key","reconnect":true,"requestId":null}"#))
    #expect(steps == [.end(LiveEnding(.lost, "The server refused: key (code 4)."))])
    let last = conversation.take(
      text(
        #"{"op":"error","code":209,"error":"r:secret-token","reconnect":false,"requestId":null}"#))
    #expect(last == [.end(LiveEnding(.refused, "The server refused: ••• (code 209)."))])
  }

  @Test func `pauses grow to half a minute, and chance spreads them`() {
    let lost = LiveEnding(.lost, "")
    #expect(LivePause.after(lost, failures: 1, jitter: 0) == .zero)
    #expect(LivePause.after(lost, failures: 1, jitter: 1) == .seconds(1))
    #expect(LivePause.after(lost, failures: 3, jitter: 1) == .seconds(7))
    #expect(LivePause.after(lost, failures: 100, jitter: 1) == .seconds(30))
    #expect(LivePause.after(LiveEnding(.refused, ""), failures: 1, jitter: 0) == .seconds(30))
  }
}
