// Ferry: offline-first sync for Parse Server. MIT licence.

/// A caller who may send files to the double.
public enum LoopbackUploader: Sendable, Hashable {
  /// Nobody is logged in (`enableForPublic`).
  case anyone
  /// A user without a name or another account (`enableForAnonymousUser`).
  case anonymousUsers
  /// Any other user (`enableForAuthenticatedUser`).
  case users
}
