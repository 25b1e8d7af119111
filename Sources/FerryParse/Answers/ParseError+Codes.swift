// Ferry: offline-first sync for Parse Server. MIT licence.

// The codes of Parse Server's own by which Ferry, its tool or an app decides.

extension ParseError.Code {
  /// Any other failure; Parse Server also answers so to changes that it has carried out.
  public static let other = Self(rawValue: -1)
  /// Something failed inside the server or its database.
  public static let internalServerError = Self(rawValue: 1)
  /// Too many requests.
  public static let connectionFailed = Self(rawValue: 100)
  /// Not there, or not for this user; at a login, the wrong name or password.
  public static let objectNotFound = Self(rawValue: 101)
  /// No field may have that name, or clients may not choose object ids.
  public static let invalidKeyName = Self(rawValue: 105)
  /// The body is not what the route expects.
  public static let invalidJSON = Self(rawValue: 107)
  /// The class's permissions do not allow it.
  public static let operationForbidden = Self(rawValue: 119)
  /// The server ran out of time.
  public static let timeout = Self(rawValue: 124)
  /// A value that has to be unique is taken.
  public static let duplicateValue = Self(rawValue: 137)
  /// Too many requests, on old servers.
  public static let requestLimitExceeded = Self(rawValue: 155)
  /// A request id was seen before, whatever became of that request.
  public static let duplicateRequest = Self(rawValue: 159)
  /// A value the server does not take.
  public static let invalidValue = Self(rawValue: 162)
  /// A user must be logged in.
  public static let sessionMissing = Self(rawValue: 206)
  /// The session has ended.
  public static let invalidSessionToken = Self(rawValue: 209)
}
