// Ferry: offline-first sync for Parse Server. MIT licence.

extension CommandTable {
  static let login = Command(
    name: .login, summary: "Log a user in, and keep the session for this folder",
    details: [
      "ferry asks for the password at the terminal, which does not show it, or reads it from a file. It keeps the user and "
        + "the token of the session in credentials.json, which only you can read, and never the password. The commands "
        + "that follow work as that user.",
      "A store belongs to the user of its first sync. Another user cannot log in there: give each user a --directory. The "
        + "first sync after a login needs --adopt anonymous-data if rows were synced without one.",
      "If an anonymous user is logged in, --sign-up gives that user the name; the rows stay.",
      "A password file holds the password on one line, and spaces count.",
    ],
    examples: [
      .init(line: "ferry login anna", meaning: "Ask for the password of anna."),
      .init(
        line: "ferry login anna --password-file password.txt",
        meaning: "For scripts: read it from a file."),
      .init(
        line: "ferry login anna --sign-up --email anna@example.com",
        meaning: "Make the account first."),
      .init(
        line: "ferry login --anonymous",
        meaning: "Log in without a name; this folder gets the same user each time."),
    ],
    operand: .init(
      valueName: "NAME", sentence: "The name of the user, or the e-mail address.", isRequired: false
    ),
    flags: FlagTable.login)

  static let logout = Command(
    name: .logout, summary: "End the session, and forget the user",
    details: [
      "If the store has unsent changes, ferry does nothing until you say what becomes of them, and the exit code is 2. ferry "
        + "sync sends them, --unsent keep leaves them in the store for the next login of this user, and --unsent discard "
        + "takes them back. The rows stay in the store, and readable in this folder."
    ],
    examples: [
      .init(line: "ferry logout", meaning: "Log out; refused while something is unsent."),
      .init(line: "ferry logout --unsent keep", meaning: "Log out, and send the rest another day."),
    ],
    flags: FlagTable.logout)

  static let whoami = Command(
    name: .whoami, summary: "Show who is logged in, and whether the session goes on",
    details: ["The exit code is 77 when nobody is logged in, or the session has ended."],
    examples: [
      .init(line: "ferry whoami", meaning: "Ask the server."),
      .init(line: "ferry whoami --offline", meaning: "Only what this folder knows."),
    ],
    flags: FlagTable.whoami)
}
