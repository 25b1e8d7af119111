// Ferry: offline-first sync for Parse Server. MIT licence.

/// Takes over a store that belongs to nobody or to another address; only on an explicit call.
///
/// A store is bound to one server and one user, and the engine refuses a sync as anyone else. An
/// adoption allows one sync to change the owner. From then on, the store belongs to that user or
/// address. The sync then compares all rows with the records that the user may read there.
///
/// ```swift
/// // The person who edited without a login has logged in.
/// let run = coordinator.startSync(adopting: [.anonymousData])
/// ```
///
/// A user's store cannot become another user's. It may contain changes of the first user, which
/// must not be sent as the second. Give each user a store.
public enum StoreAdoption: String, Sendable, Hashable, CaseIterable {
  /// Data gathered without a login become the data of the user who is logged in now.
  ///
  /// The sync sends unsent changes as that user.
  case anonymousData = "anonymous-data"
  /// The server has moved to another address, path or application id.
  ///
  /// The engine refuses this if the server has none of the store's records.
  case movedServer = "moved-server"
}
