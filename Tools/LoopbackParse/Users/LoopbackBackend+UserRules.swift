// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The rules for users alone: unique names, passwords, sessions.
extension LoopbackBackend {
  /// Where a user's row keeps the password; its name keeps it from ever being sent.
  static let passwordField = "_password"

  mutating func signUp(_ call: Call) throws(Refusal) -> Answer {
    var fields = call.fields
    let provider: String
    if let authData = fields["authData"]?.object, authData.namesAccount {
      if let existing = try anonymousUser(authData) {
        var answer = userAnswer(existing, token: nil)
        if !call.caller.isCloudCode {
          let token = openSession(
            of: existing.objectId, action: "login", provider: "anonymous", call)
          answer = userAnswer(existing, token: token, and: ["authDataResponse": [:]])
        }
        answer.headers["Location"] = "\(publicURL)/users/\(existing.objectId)"
        return answer
      }
      provider = "anonymous"
      if fields["username"] == nil { fields["username"] = .string(generator.hexadecimal()) }
    } else {
      try checkNameAndPassword(fields)
      provider = "password"
    }
    let chosenName = call.fields["username"] == nil ? fields["username"] : nil
    try checkUnique(fields, besides: nil)
    let password = fields.removeValue(forKey: "password")
    let (stored, echo) = try insert("_User", fields, call)
    var row = stored
    row.fields[Self.passwordField] = password
    let isPublic = fields["ACL"]?["*"]?["read"]?.isTruthy ?? false
    row.access = AccessList(owner: row.objectId)
    if isPublic { row.access?.readers.insert("*") }
    row.encode(fileAddress: fileAddress)
    tables["_User"]?.store(row)
    var body = echo
    body["username"] = chosenName
    if provider == "anonymous" { body["authDataResponse"] = [:] }
    if !call.caller.isCloudCode, provider == "anonymous" || !configuration.preventsUnverifiedLogin {
      let token = openSession(of: row.objectId, action: "signup", provider: provider, call)
      body["sessionToken"] = .string(token)
    }
    return try created(row, "_User", body)
  }

  mutating func updateUser(_ objectId: String, _ call: Call) throws(Refusal) -> Answer {
    try checkMayChangeUser(objectId, call.caller)
    var fields = call.fields
    try checkUnique(fields, besides: objectId)
    let password = fields.removeValue(forKey: "password")
    var echo = try change("_User", objectId, fields, call)
    if fields["authData"]?.object != nil {
      echo["authDataResponse"] = [:]
      unlink(objectId)
    }
    if let password, password.isTruthy, var row = tables["_User"]?.rows[objectId] {
      row.fields[Self.passwordField] = password
      tables["_User"]?.store(row)
      revokeSessions(of: objectId)
      if !call.caller.isMaster {
        let token = openSession(
          of: objectId, action: "login", provider: "password", call)
        echo["sessionToken"] = .string(token)
      }
    }
    return Answer(json: .object(echo))
  }

  /// Forgets the accounts of third parties that a change set to null.
  private mutating func unlink(_ objectId: String) {
    guard var row = tables["_User"]?.rows[objectId] else { return }
    let linked = (row.fields["authData"]?.object ?? [:]).filter { $0.value != .null }
    row.fields["authData"] = linked.isEmpty ? nil : .object(linked)
    row.encode(fileAddress: fileAddress)
    tables["_User"]?.store(row)
  }

  /// A role has a name that no other has, and an access list.
  func checkRole(_ fields: [String: LoopbackValue]) throws(Refusal) {
    for name in ["ACL", "name"] where Self.isBlank(fields[name]) {
      throw .parse(111, "\(name) is required.")
    }
    let isTaken = tables["_Role"]?.rows.values.contains { $0.fields["name"] == fields["name"] }
    if isTaken ?? false { throw .duplicateValue }
  }

  func checkMayChangeUser(_ objectId: String, _ caller: Caller) throws(Refusal) {
    guard caller.isMaster || caller.userId == objectId else {
      throw .parse(206, "Permission denied")
    }
  }

  private func checkNameAndPassword(_ fields: [String: LoopbackValue]) throws(Refusal) {
    guard let name = fields["username"]?.string, !name.isEmpty else {
      throw .parse(200, "bad or missing username")
    }
    guard let password = fields["password"]?.string, !password.isEmpty else {
      throw .parse(201, "password is required")
    }
  }

  /// The user of an anonymous login, if it came before.
  private func anonymousUser(_ authData: [String: LoopbackValue]) throws(Refusal) -> Row? {
    guard authData.count == 1, let id = authData["anonymous"]?["id"]?.string else {
      throw .parse(252, "This authentication method is unsupported.")
    }
    return tables["_User"]?.rows.values.first { row in
      row.fields["authData"]?["anonymous"]?["id"]?.string == id
    }
  }

  private func checkUnique(
    _ fields: [String: LoopbackValue], besides ownId: String?
  ) throws(Refusal) {
    if let name = fields["username"]?.string, isTaken("username", name, besides: ownId) {
      throw .parse(202, "Account already exists for this username.")
    }
    guard let email = fields["email"]?.string else { return }
    guard let at = email.firstIndex(of: "@"), at > email.startIndex,
      email.index(after: at) < email.endIndex
    else { throw .parse(125, "Email address format is invalid.") }
    if isTaken("email", email, besides: ownId) {
      throw .parse(203, "Account already exists for this email address.")
    }
  }

  private func isTaken(_ field: String, _ text: String, besides ownId: String?) -> Bool {
    let wanted = text.lowercased()
    return (tables["_User"]?.rows ?? [:]).values.contains { row in
      row.objectId != ownId && row.fields[field]?.string?.lowercased() == wanted
    }
  }
}

extension [String: LoopbackValue] {
  /// Whether one of the providers has data; an empty provider counts as none.
  fileprivate var namesAccount: Bool { values.contains { !($0.object ?? [:]).isEmpty } }
}
