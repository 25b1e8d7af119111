// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryParse
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// New sessions for anonymous users whose sessions have ended, and the meaning of refusals.
@Suite(.timeLimit(.minutes(2))) struct AccountRenewalTests {
  @Test func `a renewal undoes no log-out, and leaves no session`() async throws {
    let world = try AccountWorld()
    let ended = try #require(try await world.accounts.logInAnonymously().sessionToken)
    try world.server.endSession(ended.text)
    let renew = try #require(world.accounts.server.renewSession)
    world.network.setFault { $0.path == "/users" ? .delayed(.milliseconds(300)) : nil }
    let renewal = Task { try await renew(ended) }
    try await Task.sleep(for: .milliseconds(100))
    try await world.accounts.logOut()
    #expect(try await renewal.value == nil)
    #expect(try world.credentials.read().user == nil)
    #expect(try world.server.rows(of: "_Session").isEmpty)
  }

  @Test func `a renewal after a lost upgrade changes nothing, and asks for a log-in`() async throws
  {
    let world = try AccountWorld()
    let anonymous = try await world.accounts.logInAnonymously()
    let ended = try #require(anonymous.sessionToken)
    // The server has the name, and neither the upgrade's answer nor the look after it came back.
    world.network.setFault {
      $0.path.hasPrefix("/users/") ? .answerLost : $0.path == "/login" ? .requestLost : nil
    }
    _ = await world.refusal {
      try await world.accounts.upgrade(username: "carl", password: Secret("p"))
    }
    world.network.setFault(nil)
    let renew = try #require(world.accounts.server.renewSession)
    for _ in 0..<3 { #expect(try await renew(ended) == nil) }
    #expect(try world.credentials.read().user == anonymous)
    #expect(try world.server.rows(of: "_User").count <= 2)
    let named = try await world.accounts.logIn(username: "carl", password: Secret("p"))
    #expect(named.objectID == anonymous.objectID)
  }

  @Test func `a user without an anonymous id is not renewed`() async throws {
    let world = try AccountWorld()
    let user = try world.server.signUp("anna")
    try await world.accounts.become(Secret(user.token))
    world.network.forget()
    let renew = try #require(world.accounts.server.renewSession)
    #expect(try await renew(Secret(user.token)) == nil)
    #expect(world.network.requestCount == 0)
  }

  @Test func `the meaning of a code depends on the request`() async throws {
    let world = try AccountWorld()
    let accounts = world.accounts
    func code(_ number: Int, _ body: () async throws -> some Any) async -> AccountError? {
      let refusal: LoopbackValue = ["code": .number(Double(number)), "error": "no"]
      world.network.setFault { _ in
        .answered(HTTPResponse(status: 400, body: Data(refusal.text.utf8)))
      }
      return await world.refusal(body)
    }
    let signUp = { try await accounts.signUp(username: "a", password: Secret("p")) }
    #expect(
      await code(101) { try await accounts.logIn(username: "a", password: Secret("p")) }?.code
        == .wrongPassword)
    #expect(
      await code(101) { try await accounts.logIn(with: "apple", authData: ["id": "1"]) }?.code
        == .refused)
    #expect(
      await code(101) { try await accounts.requestPasswordReset(email: "a@b.c") }?.code
        == .invalidInput)
    #expect(await code(142, signUp)?.code == .invalidInput)
    let unverified = await code(205, signUp)
    #expect(unverified?.code == .emailNotVerified)
    #expect(unverified?.message.contains("The account was made") == true)
  }
}
