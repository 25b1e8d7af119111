// Ferry: offline-first sync for Parse Server. MIT licence.

// The table of Parse Server's own codes.

extension ParseError.Code {
  /// Any other failure; Parse Server also answers so to changes that it has carried out.
  public static let other = Self(rawValue: -1)
  /// Something failed inside the server or its database.
  public static let internalServerError = Self(rawValue: 1)
  /// Too many requests.
  public static let connectionFailed = Self(rawValue: 100)
  /// Not there, or not for this user; at a login, the wrong name or password.
  public static let objectNotFound = Self(rawValue: 101)
  /// A query the server cannot run.
  public static let invalidQuery = Self(rawValue: 102)
  /// No class has or may have that name.
  public static let invalidClassName = Self(rawValue: 103)
  /// An object id is empty.
  public static let missingObjectID = Self(rawValue: 104)
  /// No field may have that name, or clients may not choose object ids.
  public static let invalidKeyName = Self(rawValue: 105)
  /// A pointer that is not well formed.
  public static let invalidPointer = Self(rawValue: 106)
  /// The body is not what the route expects.
  public static let invalidJSON = Self(rawValue: 107)
  /// Not available on this server.
  public static let commandUnavailable = Self(rawValue: 108)
  /// A value of another type than the column's.
  public static let incorrectType = Self(rawValue: 111)
  /// The object is too large.
  public static let objectTooLarge = Self(rawValue: 116)
  /// The class's permissions do not allow it.
  public static let operationForbidden = Self(rawValue: 119)
  /// A key inside an object holds a dollar sign or a dot.
  public static let invalidNestedKey = Self(rawValue: 121)
  /// No file may have that name.
  public static let invalidFileName = Self(rawValue: 122)
  /// An access control list that is not well formed.
  public static let invalidACL = Self(rawValue: 123)
  /// The server ran out of time.
  public static let timeout = Self(rawValue: 124)
  /// An e-mail address that is not well formed.
  public static let invalidEmailAddress = Self(rawValue: 125)
  /// The file could not be stored.
  public static let fileSaveError = Self(rawValue: 130)
  /// A value that has to be unique is taken.
  public static let duplicateValue = Self(rawValue: 137)
  /// No role may have that name.
  public static let invalidRoleName = Self(rawValue: 139)
  /// The application's quota is used up.
  public static let exceededQuota = Self(rawValue: 140)
  /// Cloud Code refused.
  public static let scriptFailed = Self(rawValue: 141)
  /// Cloud Code's or the schema's validation refused.
  public static let validationError = Self(rawValue: 142)
  /// The file could not be deleted.
  public static let fileDeleteError = Self(rawValue: 153)
  /// Too many requests, on old servers.
  public static let requestLimitExceeded = Self(rawValue: 155)
  /// A request id was seen before, whatever became of that request.
  public static let duplicateRequest = Self(rawValue: 159)
  /// A value the server does not take.
  public static let invalidValue = Self(rawValue: 162)
  /// The user name is missing.
  public static let usernameMissing = Self(rawValue: 200)
  /// The password is missing.
  public static let passwordMissing = Self(rawValue: 201)
  /// The user name is taken.
  public static let usernameTaken = Self(rawValue: 202)
  /// The e-mail address is taken.
  public static let emailTaken = Self(rawValue: 203)
  /// The e-mail address is not verified.
  public static let emailNotFound = Self(rawValue: 205)
  /// A user must be logged in.
  public static let sessionMissing = Self(rawValue: 206)
  /// The account is linked to another user.
  public static let accountAlreadyLinked = Self(rawValue: 208)
  /// The session has ended.
  public static let invalidSessionToken = Self(rawValue: 209)
  /// A linked account's session has ended.
  public static let invalidLinkedSession = Self(rawValue: 251)
  /// The service to log in with is not supported.
  public static let unsupportedService = Self(rawValue: 252)
  /// The schema cannot be changed like that.
  public static let invalidSchemaOperation = Self(rawValue: 255)
}
