// Ferry: offline-first sync for Parse Server. MIT licence.

/// Logging in, by password or as another user with the master key.
extension LoopbackBackend {
  mutating func login(_ call: Call) throws(Refusal) -> Answer {
    let row = try userByPassword(call.parameters)
    if configuration.preventsUnverifiedLogin, row.fields["emailVerified"]?.isTruthy != true {
      throw .parse(205, "User email is not verified.")
    }
    let token = openSession(of: row.objectId, action: "login", provider: "password", call)
    return userAnswer(row, token: token)
  }

  func verifyPassword(_ call: Call) throws(Refusal) -> Answer {
    userAnswer(try userByPassword(call.parameters), token: nil)
  }

  /// Takes the wish for a mail, and says no word about whether the address is known.
  func resetPassword(_ call: Call) throws(Refusal) -> Answer {
    guard configuration.hasMail else {
      throw .parse(
        1,
        "An appName, publicServerURL, and emailAdapter are required for password reset and email verification "
          + "functionality.")
    }
    guard let email = call.parameters["email"], email.isTruthy else {
      throw .parse(204, "you must provide an email")
    }
    guard email.string != nil else { throw .parse(125, "you must provide a valid email string") }
    return Answer(json: [:])
  }

  mutating func loginAs(_ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .parse(119, "Permission denied") }
    guard let id = call.parameters["userId"]?.string, !id.isEmpty else {
      throw .parse(162, "userId must not be empty, null, or undefined")
    }
    guard let row = tables["_User"]?.rows[id] else { throw .parse(101, "user not found") }
    let token = openSession(of: id, action: "login", provider: "masterkey", call)
    return userAnswer(row, token: token)
  }

  func currentUser(_ call: Call) throws(Refusal) -> Answer {
    // The master key sees the user of a token, too.
    let token = call.caller.sessionToken ?? ""
    let user = call.caller.userId ?? session(of: token)?.fields["user"]?["objectId"]?.string
    guard let user, let row = tables["_User"]?.rows[user]
    else {
      throw .parse(209, "Permission denied")
    }
    return userAnswer(row, token: call.caller.sessionToken)
  }

  /// Finds the user that a name or an e-mail address and a password belong to.
  private func userByPassword(
    _ parameters: [String: LoopbackValue]
  ) throws(Refusal) -> Row {
    let username = parameters["username"]
    let email = parameters["email"]
    guard username?.isTruthy ?? false || email?.isTruthy ?? false else {
      throw .parse(200, "username/email is required.")
    }
    guard let password = parameters["password"], password.isTruthy else {
      throw .parse(201, "password is required.")
    }
    let row = tables["_User"]?.rows.values.first { row in
      if let email { return row.fields["email"] == email }
      return row.fields["username"] == username || row.fields["email"] == username
    }
    guard let row, row.fields[Self.passwordField] == password else {
      throw .parse(101, "Invalid username/password.")
    }
    return row
  }

  func userAnswer(
    _ row: Row, token: String?, and more: [String: LoopbackValue] = [:]
  ) -> Answer {
    var members = row.value(fileAddress: fileAddress).object ?? [:]
    members.merge(more) { _, new in new }
    members["sessionToken"] = token.map(LoopbackValue.string)
    return Answer(json: .object(members))
  }

  /// Takes from a user's row what others may not see.
  func protectUser(_ members: inout [String: LoopbackValue], _ row: Row, _ caller: Caller) {
    guard !caller.hasEveryRight, caller.userId != row.objectId else { return }
    members["email"] = nil
    members["authData"] = nil
  }
}
