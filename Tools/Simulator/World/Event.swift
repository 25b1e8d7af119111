// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryEngine
public import FerryModel
public import FerryPlanning
public import SimulatedDisk

/// One thing that happens in a world.
public enum Event: Sendable {
  /// A row changes.
  case edit(Writer, Edit)
  /// The members of a relation change.
  case relate(Writer, MemberEdit)
  /// An app takes edits back, or has changes sent again.
  case decide(Int, Decision)
  /// Another client's request leaves, and arrives with the requests that are late.
  case beginEdit(Edit)
  /// A device syncs, and other things happen meanwhile.
  case sync(Int, StageSelection, SyncComparison, [Interruption])
  /// A device fetches the records of a query, and other things happen meanwhile.
  case fetch(Int, Query, [Interruption])
  /// A device asks for the rows of an on-demand class that it has by their ids, and evicts those that are gone.
  case askAgain(Int, className: String)
  /// A device evicts rows.
  case evict(Int, [String])
  /// The app of a device ends and starts again.
  case reopen(Int)
  /// The app of a device ends, and an older program starts, which does not declare the later fields.
  case reopenOlder(Int)
  /// The app of a device ends, and a program starts that declares other fields; not if it cannot open the store.
  case reopenRetyped(Int, Declaration)
  /// The other program of a device goes on; both live.
  case switchProgram(Int)
  /// A device keeps a copy of its store.
  case backUp(Int)
  /// A device goes on with the copy that a device kept; nil for its own.
  case goBack(Int, toBackupOf: Int)
  /// The clock of a device is that number of days ahead from now on.
  case setClock(Int, daysAhead: Int)
  /// Another program gives the rows of a device other local ids.
  case renumber(Int)
  /// A user logs in on a device, with a new session.
  case logIn(Int, User)
  /// The app of a device forgets its session.
  case logOut(Int)
  /// The server ends the session of a device.
  case endSession(Int)
  /// Everybody's rights to a class change.
  case allowClass(String, ClassAccess)
  /// The server's owner drops the later field of a class, with all its values.
  case dropField(String)
  /// The disk of a device fails as planned from now on: once after another.
  case failDisk(Int, [DiskFailure])
  /// Seconds pass.
  case pass(Int)
  /// The requests that are late arrive.
  case deliver
}

extension Event {
  /// The happenings within the event; none for an event in which nothing else happens.
  var interruptions: [Interruption] {
    switch self {
    case .sync(_, _, _, let interruptions), .fetch(_, _, let interruptions): interruptions
    default: []
    }
  }

  /// The same event with other happenings.
  func with(_ interruptions: [Interruption]) -> Event {
    switch self {
    case .sync(let device, let selection, let comparison, _):
      .sync(device, selection, comparison, interruptions)
    case .fetch(let device, let query, _): .fetch(device, query, interruptions)
    default: self
    }
  }
}
