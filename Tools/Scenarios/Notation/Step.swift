// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// A step of an actor.
enum Step: Sendable {
  // On a device, or by the third client.
  case insert(StoryRows)
  case set([String], [String: StoryValue])
  case delete([String])
  /// Adds rows to the relation of another row, or removes them from it.
  case relate(Relating)
  /// Changes the access list of rows.
  case share([String], Sharing)
  // On a device.
  case sync(RunScope, killedWhen: Moment?, [Claim])
  case run(RunByItself)
  case plan(RunScope, [Claim])
  case confirmRemovals
  /// Asks the server for the records of a query; with a code, the fetch stops.
  case fetch(Query, stops: String?)
  /// Takes rows out of the store.
  case evict([String])
  case login(String)
  /// Two log-ins at once, of which one must win.
  case loginAtOnce([String])
  case logout
  /// From then on, the app has no token that the server takes, until a log-in or a log-out.
  case token(TokenFault)
  case restore(String)
  /// Takes the unsent changes of rows back.
  case discard([String])
  /// Lets the next sync send the parked changes of rows again.
  case retry([String])
  /// Says whether the server has carried out the additions to rows whose answers were lost.
  case decide([String], counted: Bool)
  /// Lets the next sync fetch records in quarantine again.
  case retryQuarantined([String])
  /// Takes the last transaction of the app back.
  case undo
  /// Takes the last undo back.
  case redo
  /// Opens a list of rows, which follows the store from then on.
  case watch(Query)
  /// Since the last look, the list has changed, and shows these rows; nil: it has not changed.
  case sees([String]?)
  /// Another listener of the app throws an error of its own at the next commit.
  case throwAtCommit
  /// The app reads with SQL over a connection of its store.
  case readSQL(String)
  /// The app writes with SQL in a transaction of its store.
  case writeSQL(String)
  /// The app takes nothing of the list any more, until the story looks at it again.
  case lookAway
  case readHistory(HistoryReading, reader: String)
  /// A step of the app that the store refuses with this error, without a change.
  indirect case refused(Step, StoreError.Code)
  case sql(String, refusal: SQLRefusal?)
  case reopen(Reopening)
  /// The device's other program goes on; both live.
  case switchProgram
  /// Cuts a staged page short, as a full disk does.
  case damage(page: Int, className: String)
  /// Keeps a copy of the store, as a backup of the whole device would.
  case backUp
  /// Goes on with the copy that a device kept, by default this one.
  case goBack(toBackupOf: String?)
  /// Sets the device's clock that much ahead of the true time.
  case setClock(ahead: Duration)
  // By the third client.
  case setUnstamped(String, [String: StoryValue])
  // On the server.
  case rule(ServerRule)
  // On the way.
  case fault(RequestPattern, Fate)
  case deliver
}
