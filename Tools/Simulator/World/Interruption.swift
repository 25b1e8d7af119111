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
    /// The members of a relation change.
    case relate(Writer, MemberEdit)
    /// The app of the device takes edits back, or has changes sent again.
    case decide(Decision)
    /// Another device syncs.
    case sync(Int)
    /// The next request that this fits meets a fate.
    case fate(Fate)
    /// A user logs in on the device, with a new session.
    case logIn(User)
    /// The server ends the session of the device.
    case endSession
    /// Everybody's rights to a class change.
    case allowClass(String, ClassAccess)
    /// The server's owner drops the later field of a class.
    case dropField(String)
    /// The other program of the device works beside the one that syncs.
    case other(Aside)
    /// The device's process ends.
    case kill
    /// The device's store fails from now on.
    case storeFails(StoreFailure)
  }

  /// The number of the moment.
  public var moment: Int
  /// Whether only the moments of requests that write count.
  public var isOfWrite = false
  /// The happening.
  public var act: Act

  /// A happening at a moment of a sync.
  ///
  /// - Parameters:
  ///   - moment: The number of the moment, from 0 on.
  ///   - isOfWrite: Whether only the moments of requests that write count.
  ///   - act: The happening.
  public init(moment: Int, isOfWrite: Bool = false, act: Act) {
    (self.moment, self.isOfWrite, self.act) = (moment, isOfWrite, act)
  }
}
