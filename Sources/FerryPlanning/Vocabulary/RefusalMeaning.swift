// Ferry: offline-first sync for Parse Server. MIT licence.

/// The meaning of an answer that is not the expected success.
///
/// An app reads it to learn what a refusal says, whatever the code and the status of its answer.
public enum RefusalMeaning: Hashable, Sendable {
  /// The server did nothing, and a later attempt may succeed.
  case retryLater
  /// The server failed at the request, did nothing, and may fail at it for ever.
  case failed
  /// The server did nothing, because there were too many requests.
  case rateLimited
  /// The server did nothing, because nobody is logged in any more.
  case loginNeeded
  /// The server did nothing, and will refuse every further attempt.
  case refused
  /// The same, because the permissions of the class do not allow it.
  case forbidden
  /// The same, because no field may have that name, or because clients may not choose object ids.
  case invalidName
  /// A unique value exists already, perhaps because an earlier attempt of this create arrived.
  case duplicate
  /// The object does not exist, or this user may not read or change it.
  case notFoundOrForbidden
  /// The server may have carried out this write, or may still be at it; Ferry must look it up.
  case outcomeUnknown(mayStillRun: Bool)
  /// The server did nothing, because the request was too large.
  case tooLarge
  /// The server did nothing, because the application id or a key is wrong or not allowed here.
  case unauthorized
  /// There is a server, but no Parse Server at this path.
  case wrongURL
  /// The answer does not come from a Parse Server; a proxy may have sent it.
  case notParse
  /// Parse Server answered, but the answer does not fit the request.
  case malformed
  /// The answer was cut off on its way.
  case cut
}
