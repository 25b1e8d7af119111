// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of unsent changes when their user logs out; an app asks its user, or decides.
public enum LogOutPolicy: String, Sendable, CaseIterable {
  /// They stay in the user's store, and a sync after the next log-in sends them.
  case keep
  /// Ferry takes them back: the rows get the values that the server had.
  case discard
  /// The user stays logged in while there are any.
  case refuse
}
