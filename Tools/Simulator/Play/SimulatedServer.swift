// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import LoopbackParse

/// The server of a world: the double, called directly, whose commits go to the oracle.
final class SimulatedServer: @unchecked Sendable {
  private var backend: LoopbackBackend
  let url: URL
  private let committed: (LoopbackCommit, Sender) -> Void
  /// The users of the sessions that were ever open, by token.
  private var users: [String: User] = [:]
  private var validTokens: Set<String> = []
  /// The ids of the users who have signed up.
  private(set) var ids: [User: String] = [:]

  init(
    _ settings: WorldSettings, seed: UInt64, clock: SimulatedClock,
    committed: @escaping (LoopbackCommit, Sender) -> Void
  ) {
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = settings.allowsCustomIDs
    configuration.maxLimit = settings.maxLimit
    configuration.brokenBatch = settings.brokenBatch
    configuration.keepsCommits = true
    configuration.seed = seed
    configuration.now = { clock.date }
    backend = LoopbackBackend(configuration)
    url = URL(string: backend.publicURL) ?? URL(filePath: "/")
    self.committed = committed
  }

  /// Answers a request; `device` is the device that waits for the answer, if one does.
  func answer(_ request: LoopbackRequest, to device: Int? = nil) -> LoopbackResponse {
    let isOwners = request.headers["X-Parse-Master-Key"] != nil
    let user = request.headers["X-Parse-Session-Token"].flatMap { users[$0] }
    defer { publish(isOwners ? .client : .request(device, user)) }
    return backend.answer(request)
  }

  /// Whatever the server's owner may do.
  func change<Result>(_ body: (inout LoopbackBackend) throws -> Result) rethrows -> Result {
    defer { publish(.client) }
    return try body(&backend)
  }

  func rows(of className: String) -> [LoopbackValue] { backend.objects(of: className) }

  /// The members of each owner's relation, by ids; those of owners and members that are gone are there, too.
  func members(of className: String, _ field: String) -> [String: Set<String>] {
    backend.members(of: className, field)
  }

  /// The requests that would harm a real server.
  var violations: [String] { backend.violations.map(\.description) }

  private func publish(_ sender: Sender) {
    let commits = backend.commits
    guard !commits.isEmpty else { return }
    backend.commits = []
    for commit in commits where !commit.className.hasPrefix("_") { committed(commit, sender) }
  }
}

// Users and their sessions.
extension SimulatedServer {
  /// Opens a session of a user and returns its token; a user who comes for the first time signs up.
  func logIn(_ user: User) -> String {
    let path = ids[user] == nil ? "/parse/users" : "/parse/login"
    let account: LoopbackValue = [
      "username": .string(user.rawValue), "password": .string("secret of \(user.rawValue)"),
    ]
    let answer = backendAnswer("POST", path, account)
    guard let token = answer["sessionToken"]?.string else { return "" }
    if let id = answer["objectId"]?.string { ids[user] = id }
    users[token] = user
    validTokens.insert(token)
    return token
  }

  /// Ends a session: the server refuses its token from now on.
  func endSession(_ token: String) {
    validTokens.remove(token)
    _ = backendAnswer("POST", "/parse/logout", [:], token: token)
  }

  func isValid(_ token: String) -> Bool { validTokens.contains(token) }

  private func backendAnswer(
    _ method: String, _ path: String, _ body: LoopbackValue, token: String? = nil
  ) -> LoopbackValue {
    var headers: LoopbackHeaders = ["X-Parse-Application-Id": "app1"]
    if let token { headers["X-Parse-Session-Token"] = token }
    let response = answer(LoopbackRequest(method, path, headers: headers, json: body))
    return (try? LoopbackValue(json: response.body)) ?? .null
  }
}
