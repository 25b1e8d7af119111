// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Randomness

/// Sessions: rows of `_Session`, found by their token.
extension LoopbackBackend {
  private static let sessionLength: Int64 = 365 * 86_400_000

  /// The caller with these credentials; a token that is not valid refuses every request.
  func caller(
    of credentials: Credentials, reading target: String, at stamp: Instant
  ) throws(Refusal) -> Caller {
    var caller = Caller(isMaster: credentials.isMaster)
    caller.installationId = credentials.installationId
    caller.isMaintenance = credentials.isMaintenance
    caller.isCloudCode = credentials.isCloudCode
    guard let token = credentials.sessionToken, !token.isEmpty else { return caller }
    caller.sessionToken = token
    guard !caller.hasEveryRight else { return caller }
    guard let session = session(of: token), let userId = session.fields["user"]?["objectId"]?.string
    else {
      // This one route looks the token up by itself.
      if target == "GET/sessions/me" { return caller }
      throw .invalidSession
    }
    if let end = session.fields["expiresAt"]?["iso"]?.string.flatMap(Instant.init), end < stamp {
      throw .parse(209, "Session token is expired.")
    }
    caller.userId = userId
    caller.roles = roles(of: userId)
    return caller
  }

  func session(of token: String) -> Row? {
    sessionIds[token].flatMap { tables["_Session"]?.rows[$0] }
  }

  /// The names of the roles that have the user, or that have a role which has them.
  private func roles(of userId: String) -> Set<String> {
    guard let table = tables["_Role"], !table.rows.isEmpty else { return [] }
    var ids = owners("_Role", "users", of: userId).intersection(table.rows.keys)
    var fresh = ids
    while !fresh.isEmpty {
      let above = fresh.reduce(into: Set<String>()) {
        $0.formUnion(owners("_Role", "roles", of: $1))
      }
      fresh = above.subtracting(ids).intersection(table.rows.keys)
      ids.formUnion(fresh)
    }
    return Set(ids.compactMap { table.rows[$0]?.fields["name"]?.string })
  }

  /// Opens a session and returns its token.
  ///
  /// A second one of the same user and installation ends the first.
  mutating func openSession(
    of userId: String, action: String, provider: String, _ call: Call
  ) -> String {
    if let installation = call.caller.installationId {
      endSessions { row in
        row.fields["user"]?["objectId"]?.string == userId
          && row.fields["installationId"]?.string == installation
      }
    }
    let token = "r:" + generator.hexadecimal()
    let expiry = Instant(milliseconds: call.stamp.milliseconds + Self.sessionLength)
    var row = Row(
      objectId: freshId(in: "_Session"), createdAt: call.stamp, updatedAt: call.stamp,
      fields: [
        "user": .pointer("_User", userId), "sessionToken": .string(token),
        "expiresAt": .date(expiry.text),
        "createdWith": ["action": .string(action), "authProvider": .string(provider)],
      ])
    row.fields["installationId"] = call.caller.installationId.map(LoopbackValue.string)
    row.encode(fileAddress: fileAddress)
    tables["_Session"]?.store(row)
    sessionIds[token] = row.objectId
    return token
  }

  mutating func revokeSessions(of userId: String) {
    endSessions { $0.fields["user"]?["objectId"]?.string == userId }
  }

  mutating func forgetToken(of session: Row) {
    if let token = session.fields["sessionToken"]?.string { sessionIds[token] = nil }
  }

  private mutating func endSessions(where isMeant: (Row) -> Bool) {
    for row in Array((tables["_Session"]?.rows ?? [:]).values) where isMeant(row) {
      forgetToken(of: row)
      _ = tables["_Session"]?.remove(row.objectId)
    }
  }

  func currentSession(_ call: Call) throws(Refusal) -> Answer {
    guard let token = call.caller.sessionToken else {
      throw .parse(209, "Session token required.")
    }
    guard let row = session(of: token) else { throw .parse(209, "Session token not found.") }
    return Answer(json: row.value(fileAddress: fileAddress))
  }

  mutating func logout(_ call: Call) -> Answer {
    if let token = call.caller.sessionToken, let row = session(of: token) {
      forgetToken(of: row)
      _ = tables["_Session"]?.remove(row.objectId)
    }
    return Answer(json: [:])
  }
}
