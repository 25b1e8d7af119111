// Ferry: offline-first sync for Parse Server. MIT licence.

/// Takes over a store that belongs to somebody or something else; never done by itself.
///
/// A store is bound to one server and one user, and a run as anybody else is refused. What may be
/// taken over all the same is said for one run; from then on the store belongs to that user or
/// address. All of it is then compared with what the user may read there.
///
/// ```swift
/// // The person who edited without a login has logged in.
/// let run = coordinator.startSync(adopting: [.anonymousData])
/// ```
///
/// A store of one user cannot become another's: it may hold changes of the first that must not be
/// sent in the second's name. Give each user a store.
public enum StoreAdoption: String, Sendable, Hashable, CaseIterable {
  /// What was gathered and edited without a login becomes the data of the user who is logged in now.
  ///
  /// Unsent changes are sent in that user's name.
  case anonymousData = "anonymous-data"
  /// The server has moved: its data are found under another address, path or application id.
  ///
  /// Refused where the server there has none of the records that are here.
  case movedServer = "moved-server"
}
