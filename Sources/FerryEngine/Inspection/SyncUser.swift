// Ferry: offline-first sync for Parse Server. MIT licence.

/// The user as whom a sync runs, for `StoreInspection.refusal(of:asUser:)`.
public enum SyncUser: Sendable, Equatable {
  /// The app does not know the user; only the server is compared.
  case unknown
  /// Nobody is logged in.
  case nobody
  /// The user with this object id.
  case user(String)
}
