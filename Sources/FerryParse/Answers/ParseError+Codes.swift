// Ferry: offline-first sync for Parse Server. MIT licence.

// Those codes of Parse Server on which decisions of Ferry, its tool or an app depend.

extension ParseError.Code {
  /// Any other failure; Parse Server also answers so to changes that it has carried out.
  public static let other = Self(rawValue: -1)
  /// Something failed inside the server or its database.
  public static let internalServerError = Self(rawValue: 1)
  /// Too many requests.
  public static let connectionFailed = Self(rawValue: 100)
  /// The object does not exist or is hidden from this user; at a login, the name or password is
  /// wrong.
  public static let objectNotFound = Self(rawValue: 101)
  /// No field may have that name, or clients may not choose object ids.
  public static let invalidKeyName = Self(rawValue: 105)
  /// The route cannot use this body.
  public static let invalidJSON = Self(rawValue: 107)
  /// The value's type is not that of the field on the server.
  public static let incorrectType = Self(rawValue: 111)
  /// The class's permissions do not allow it.
  public static let operationForbidden = Self(rawValue: 119)
  /// The server ran out of time.
  public static let timeout = Self(rawValue: 124)
  /// It is no e-mail address.
  public static let invalidEmailAddress = Self(rawValue: 125)
  /// The server does not take a file, or its storage failed.
  public static let fileSaveError = Self(rawValue: 130)
  /// A unique value exists already.
  public static let duplicateValue = Self(rawValue: 137)
  /// Cloud Code failed or refused without a number of its own, or the server has no such function.
  public static let scriptFailed = Self(rawValue: 141)
  /// Too many requests, on old servers.
  public static let requestLimitExceeded = Self(rawValue: 155)
  /// The server has seen this request id before, whatever the result.
  public static let duplicateRequest = Self(rawValue: 159)
  /// The server's rules for passwords, or Cloud Code, refuse a value.
  public static let validationError = Self(rawValue: 142)
  /// The server refuses this value.
  public static let invalidValue = Self(rawValue: 162)
  /// The name of a user is missing.
  public static let usernameMissing = Self(rawValue: 200)
  /// The password is missing.
  public static let passwordMissing = Self(rawValue: 201)
  /// Another user has the name.
  public static let usernameTaken = Self(rawValue: 202)
  /// Another user has the e-mail address.
  public static let emailTaken = Self(rawValue: 203)
  /// The e-mail address is missing.
  public static let emailMissing = Self(rawValue: 204)
  /// The user has to confirm the e-mail address before a log-in.
  public static let emailNotVerified = Self(rawValue: 205)
  /// A user must be logged in.
  public static let sessionMissing = Self(rawValue: 206)
  /// Another user is linked to the account of the third party.
  public static let accountAlreadyLinked = Self(rawValue: 208)
  /// The session has ended.
  public static let invalidSessionToken = Self(rawValue: 209)
  /// The server does not know the provider of the third party's account.
  public static let unsupportedService = Self(rawValue: 252)
}
