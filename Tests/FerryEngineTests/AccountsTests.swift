// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryParse
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// Accounts over a network that loses answers, and on devices that cannot keep credentials.
@Suite(.timeLimit(.minutes(2))) struct AccountsTests {
  private let password = Secret("correct horse")

  @Test func `a sign-up whose answer is lost is found by a log-in`() async throws {
    let world = try AccountWorld()
    world.network.setFault { $0.path == "/users" ? .answerLost : nil }
    let user = try await world.accounts.signUp(username: "anna", password: password)
    #expect(user.username == "anna")
    #expect(try world.credentials.read().user == user)
    #expect(try world.server.rows(of: "_User").count == 1)
  }

  @Test func `a sign-up that did not arrive says what to do, and logs nobody in`() async throws {
    let world = try AccountWorld()
    world.network.setFault { $0.path == "/users" ? .requestLost : nil }
    let error = await world.refusal {
      try await world.accounts.signUp(username: "anna", password: password)
    }
    #expect(error?.code == .outcomeUnknown)
    #expect(error?.message.contains("Log in to find out") == true)
    #expect(try world.credentials.read().user == nil)
    world.network.setFault(nil)
    try await world.accounts.signUp(username: "anna", password: password)
  }

  @Test func `an anonymous log-in whose answer is lost finds the same user`() async throws {
    let world = try AccountWorld()
    world.network.setFault { _ in .answerLost }
    #expect(await world.refusal { try await world.accounts.logInAnonymously() }?.code == .tryAgain)
    world.network.setFault(nil)
    try await world.accounts.logInAnonymously()
    #expect(try world.server.rows(of: "_User").count == 1)
  }

  @Test func `an upgrade whose answer is lost is found by a log-in`() async throws {
    let world = try AccountWorld()
    let anonymous = try await world.accounts.logInAnonymously()
    world.network.setFault { $0.path.hasPrefix("/users/") ? .answerLost : nil }
    let named = try await world.accounts.upgrade(username: "carl", password: password)
    #expect(named.objectID == anonymous.objectID)
    world.network.setFault(nil)
    #expect(try await world.accounts.fetchUser() == named)
    #expect(try world.credentials.read().anonymousID == nil)
  }

  @Test func `an upgrade to the name and password of another user logs nobody else in`()
    async throws
  {
    let world = try AccountWorld()
    _ = try world.server.signUp("anna")
    let anonymous = try await world.accounts.logInAnonymously()
    world.network.setFault { $0.path.hasPrefix("/users/") ? .requestLost : nil }
    let error = await world.refusal {
      try await world.accounts.upgrade(username: "anna", password: Secret("secret"))
    }
    #expect(error?.code == .otherUser)
    #expect(try world.credentials.read().user == anonymous)
    // Those of the sign-up and of the anonymous user.
    #expect(try world.server.rows(of: "_Session").count == 2)
  }

  @Test func `of two log-ins at once, one wins, and the other leaves no session`() async throws {
    let world = try AccountWorld()
    for name in ["anna", "bert"] { _ = try world.server.signUp(name) }
    let before = try world.server.rows(of: "_Session").count
    let users = await withTaskGroup(of: ParseUser?.self) { group in
      for name in ["anna", "bert"] {
        group.addTask {
          try? await world.accounts.logIn(username: name, password: Secret("secret"))
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(users.count == 1)
    #expect(try world.credentials.read().user == users.first)
    #expect(try world.server.rows(of: "_Session").count == before + 1)
  }

  @Test func `credentials of another server are not used, unless the server has moved`()
    async throws
  {
    let world = try AccountWorld()
    let user = try await world.accounts.logInAnonymously()
    var moved = world.server.known(asMaster: false)
    moved.url = try #require(
      URL(string: moved.url.absoluteString.replacing("127.0.0.1", with: "localhost")))
    let accounts = ParseAccounts(
      server: moved, credentials: world.credentials, transport: world.network)
    world.network.forget()
    for work in [
      { _ = try await accounts.user() }, { _ = try await accounts.logInAnonymously() },
      { _ = try await accounts.fetchUser() }, { try await accounts.logOut() },
    ] as [() async throws -> Void] {
      let error = await world.refusal(work)
      #expect(error?.code == .otherServer)
      #expect(error?.message.contains("localhost") == true)
      #expect(error?.message.contains("followMovedServer()") == true)
    }
    #expect(world.network.requestCount == 0)
    try await accounts.followMovedServer()
    #expect(try await accounts.fetchUser() == user)
  }

  @Test func `a question that ends late brings no user back, and a log-out forgets no new one`()
    async throws
  {
    let world = try AccountWorld()
    for name in ["anna", "bert"] { _ = try world.server.signUp(name) }
    try await world.accounts.logIn(username: "anna", password: Secret("secret"))
    world.network.setFault {
      $0.path == "/users/me" || $0.path == "/logout" ? .delayed(.milliseconds(400)) : nil
    }
    let question = Task { try await world.accounts.fetchUser() }
    let logOut = Task { try await world.accounts.logOut() }
    try await Task.sleep(for: .milliseconds(100))
    // Another process logs the user out, and another one in.
    let other = ParseAccounts(
      server: world.server.known(asMaster: false), credentials: world.credentials)
    try await other.logOut()
    let bert = try await other.logIn(username: "bert", password: Secret("secret"))
    _ = await question.result
    try await logOut.value
    #expect(try world.credentials.read().user == bert)
  }

  @Test func `two first anonymous log-ins at once are one user`() async throws {
    let world = try AccountWorld()
    let users = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<4 {
        group.addTask { try await world.accounts.logInAnonymously().objectID }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(users.count == 1)
    try await world.accounts.logOut()
    #expect(try await world.accounts.logInAnonymously().objectID == users.first)
  }

  @Test(arguments: [
    #"{"password":"päss wört"}"#, "You sent päss wört", "cut off: päss", "p%C3%A4ss {",
  ])
  func `an error repeats no words that may contain the password`(words: String) async throws {
    let world = try AccountWorld()
    let body: LoopbackValue = ["code": 101, "error": .string(words)]
    world.network.setFault { _ in
      .answered(HTTPResponse(status: 404, body: Data(body.text.utf8)))
    }
    let error = await world.refusal {
      try await world.accounts.logIn(username: "anna", password: Secret("päss wört"))
    }
    #expect(error?.code == .wrongPassword)
    #expect(error?.message.contains("It said") == false)
    #expect((error?.cause as? ParseError)?.serverText == "")
  }

  @Test func `a session that cannot be kept ends again`() async throws {
    let world = try AccountWorld()
    _ = try world.server.signUp("anna")
    let before = try world.server.rows(of: "_Session").count
    world.credentials.failure = CredentialFileError(.unwritable, "The disk is full.")
    let error = await world.refusal {
      try await world.accounts.logIn(username: "anna", password: Secret("secret"))
    }
    #expect(error?.code == .credentials)
    #expect(error?.message.contains("The disk is full.") == true)
    #expect(try world.server.rows(of: "_Session").count == before)
  }

  @Test func `a log-out ends the session, and offline only where the app wants it`() async throws {
    let world = try AccountWorld()
    let user = try await world.accounts.signUp(username: "anna", password: password)
    world.network.setFault { _ in .requestLost }
    #expect(await world.refusal { try await world.accounts.logOut() }?.code == .tryAgain)
    #expect(try world.credentials.read().user == user)
    try await world.accounts.logOut(evenOffline: true)
    #expect(try world.credentials.read().user == nil)
    try await world.accounts.logOut()

    world.network.setFault(nil)
    try await world.accounts.become(#require(user.sessionToken))
    try await world.accounts.logOut()
    #expect(try world.server.rows(of: "_Session").isEmpty)
  }

  @Test func `a cancelled request ends within half a second`() async throws {
    let world = try AccountWorld()
    world.network.setFault { _ in .delayed(.seconds(20)) }
    let task = Task {
      await world.refusal { try await world.accounts.logIn(username: "anna", password: password) }
    }
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(ContinuousClock.now - start < .milliseconds(500))
  }

  @Test func `an account whose address must be confirmed is made, and logs nobody in`() async throws
  {
    var configuration = LoopbackConfiguration()
    configuration.preventsUnverifiedLogin = true
    configuration.hasMail = true
    let world = try AccountWorld(TestServer(double: LoopbackServer(configuration)))
    let made = await world.refusal {
      try await world.accounts.signUp(username: "anna", password: password, email: "a@example.com")
    }
    #expect(made?.code == .emailNotVerified)
    #expect(made?.message.contains("The account was made") == true)
    let refused = await world.refusal {
      try await world.accounts.logIn(username: "anna", password: password)
    }
    #expect(refused?.code == .emailNotVerified)
    try await world.accounts.requestPasswordReset(email: "a@example.com")
    #expect(
      await world.refusal { try await world.accounts.requestPasswordReset(email: "") }?.code
        == .invalidInput)
  }

  @Test func `input that names no account is refused before anything is sent`() async throws {
    let world = try AccountWorld()
    for (provider, data) in [("", ["id": "1"]), ("apple", [:]), ("apple", ["id": ""])]
      as [(String, [String: FerryModel.Value])]
    {
      #expect(
        await world.refusal {
          try await world.accounts.logIn(with: provider, authData: data)
        }?.code == .invalidInput)
    }
    #expect(await world.refusal { try await world.accounts.fetchUser() }?.code == .nobody)
    #expect(world.network.requestCount == 0)
    #expect(
      await world.refusal {
        try await world.accounts.logIn(with: "frobnicate", authData: ["id": "1"])
      }?.code == .refused)
  }

  /// Each status, with a body of Parse Server's, of another server's, and none.
  @Test(arguments: [
    #"{"code":1,"error":"no"}"#, #"{"code":141,"error":"correct horse, r:secret"}"#, "<html>", "",
    "{}", "[]", #"{"objectId":""}"#, "{",
  ])
  func `any answer ends in a typed error, and leaves the credentials`(body: String) async throws {
    let world = try AccountWorld()
    let user = try await world.accounts.signUp(username: "anna", password: password)
    let before = try world.credentials.read()
    for status in [200, 201, 204, 301, 400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504, 599] {
      world.network.setFault { _ in
        .answered(HTTPResponse(status: status, body: Data(body.utf8)))
      }
      let errors = [
        await world.refusal { try await world.accounts.logIn(username: "a", password: password) },
        await world.refusal { try await world.accounts.fetchUser() },
        await world.refusal { try await world.accounts.become(Secret("r:secret")) },
        await world.refusal { try await world.accounts.logInAnonymously() },
      ]
      for error in errors {
        #expect(error != nil, "\(status) \(body)")
      }
      #expect(errors[0]?.message.contains("correct horse") == false)
      // The user who was logged in before still is.
      #expect(errors.allSatisfy { $0?.message.contains("Nobody") == false })
      #expect(errors[2]?.message.contains("r:secret") == false)
      var after = try world.credentials.read()
      after.anonymousID = nil
      #expect(after == before)
      // A server answers a log-out with an object; without an error in it, the session has ended.
      guard status > 299 || !["{}", #"{"objectId":""}"#].contains(body) else { continue }
      #expect(await world.refusal { try await world.accounts.logOut() } != nil)
      #expect(try world.credentials.read().user == user)
    }
  }
}
