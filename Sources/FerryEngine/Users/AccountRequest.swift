// Ferry: offline-first sync for Parse Server. MIT licence.

/// The kind of a request about an account; the words of its errors depend on it.
enum AccountRequest {
  case signUp, logIn, logInByProvider, logOut, fetchUser, upgrade, passwordReset

  /// A sentence for a server that did nothing.
  var nothingDone: String {
    switch self {
    case .signUp: "No account was made."
    case .logIn, .logInByProvider: "The log-in changed nothing on this device."
    case .logOut: "The session goes on."
    case .fetchUser: "Nothing was changed."
    case .upgrade: "The account is unchanged."
    case .passwordReset: "No mail was sent."
    }
  }

  /// The advice where the server may have done it, and no answer says so.
  var lookFirst: String {
    switch self {
    case .signUp: "The account may have been made. Log in to find out, or sign up again."
    case .logIn, .logInByProvider, .fetchUser: "Nothing was changed on this device. Try again."
    case .logOut: "The session may have ended. Log out again, or without the server."
    case .upgrade: "The account may have its name. Log in with it to find out, or try again."
    case .passwordReset: "The mail may have been sent. Ask again if none arrives."
    }
  }

  /// Whether a lost answer leaves open what the server has; the others can be repeated without a difference.
  var isOpenWithoutAnswer: Bool {
    switch self {
    case .signUp, .upgrade, .passwordReset: true
    case .logIn, .logInByProvider, .logOut, .fetchUser: false
    }
  }
}
