// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension FlagTable {
  static let login = [
    Flag(
      name: .passwordFile, arity: .one, valueName: "FILE", completion: .file,
      sentence: "A file that holds the password on a single line."),
    Flag(name: .signUp, sentence: "Make the account, and log its user in."),
    Flag(
      name: .email, arity: .one, valueName: "ADDRESS",
      sentence: "With --sign-up: the e-mail address of the user."),
    Flag(name: .anonymous, sentence: "Log in a user who has no name yet."),
    singleTimeout, allowCleartext,
  ]

  static let logout = [
    Flag(
      name: .unsent, arity: .one, valueName: "WHAT",
      completion: .choices(LogOutPolicy.allCases.map(\.rawValue)),
      sentence:
        "Keep unsent changes in the store, discard them, or log nobody out while there are any. Default: refuse."
    ),
    Flag(
      name: .offline,
      sentence: "Forget the user even if the server cannot be asked to end the session."),
    singleTimeout, allowCleartext,
  ]

  static let whoami = [
    Flag(name: .offline, sentence: "Do not ask the server."), singleTimeout, allowCleartext,
  ]
}
