// Ferry: offline-first sync for Parse Server. MIT licence.

/// Something that happens within a sync, at one of its moments.
///
/// The moments of a sync are counted from 0: each request that leaves, each answer that comes, and each commit
/// to the device's store.
public struct Interruption: Sendable {
  /// The kinds of happenings.
  public enum Act: Sendable {
    /// A row changes.
    case edit(Writer, Edit)
    /// Another device syncs.
    case sync(Int)
    /// The next request that this fits meets a fate.
    case fate(Fate)
    /// The device's process ends.
    case kill
    /// The device's store fails from now on.
    case storeFails(StoreFailure)
  }

  /// The number of the moment.
  public var moment: Int
  /// The happening.
  public var act: Act
}
