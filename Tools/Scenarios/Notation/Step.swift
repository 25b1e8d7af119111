// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

/// Who acts in a story: a column of its table.
enum Actor: Sendable, Hashable {
  case device(String)
  case client, server, network

  /// The title of the column.
  var title: String {
    switch self {
    case .device(let name): name
    case .client: "client"
    case .server: "server"
    case .network: "network"
    }
  }
}

/// A line of a story's table: what happens at one time.
struct Tick: Sendable {
  var line: Int
  var cells: [Cell] = []
  /// Time that passes, when the line says nothing else.
  var pause: Duration = .zero
}

/// The steps of one actor in a tick.
struct Cell: Sendable {
  var actor: Actor
  var place: Place
  var acts: [Act]
}

/// A step, and the moment within a sync of the same tick at which it is taken; nil for at once.
struct Act: Sendable {
  var moment: Moment?
  var step: Step
}

/// A moment within a sync.
enum Moment: Sendable, Hashable {
  /// The server is about to get the request.
  case leaves(RequestPattern)
  /// The server has carried the request out, and the device does not know yet.
  case isDone(RequestPattern)
  /// A transaction that brought rows of the class here has been committed.
  case isImported(String)
}

/// Which requests a phrase is about.
struct RequestPattern: Sendable, Hashable {
  enum Verb: String, Sendable, CaseIterable {
    case create = "POST"
    case update = "PUT"
    case delete = "DELETE"
    /// A page of a listing.
    case list = "LIST"
    /// A query for the number of rows.
    case count = "COUNT"
    /// A query for certain rows, by id or by client key.
    case find = "FIND"
  }

  enum Subject: Sendable, Hashable {
    case className(String)
    case row(String)
  }

  enum Occurrence: Sendable, Hashable {
    /// Counted from 1.
    case nth(Int)
    /// The request of that number and all later ones in the same tick.
    case from(Int)
  }

  var occurrence: Occurrence
  var verb: Verb
  var subject: Subject

  var text: String {
    let subject =
      switch subject {
      case .className(let name), .row(let name): name
      }
    let prefix =
      switch occurrence {
      case .from(1): "every "
      case .from(let number): "number \(number) and later of "
      case .nth(1): ""
      case .nth(let number): "number \(number) of "
      }
    return "\(prefix)\(verb.rawValue) \(subject)"
  }
}

/// That SQLite refuses a statement, with a message that has these words in it.
struct SQLRefusal: Sendable {
  var words = ""
}

/// A step of an actor.
enum Step: Sendable {
  // On a device, or by the third client.
  case insert(StoryRows)
  case set([String], [String: StoryValue])
  case delete([String])
  // On a device.
  case sync(RunScope, killedWhen: Moment?, [Claim])
  case plan(RunScope, [Claim])
  case confirmRemovals
  case login(String)
  case logout
  case restore(String)
  case sql(String, refusal: SQLRefusal?)
  case reopen(Reopening)
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

/// Rows of one class and content, each with its name.
struct StoryRows: Sendable, Hashable {
  var className: String
  var names: [String]
  var fields: [String: StoryValue]
  var objectID: String?
  /// Whether the rows have been there before, and keep their ids.
  var isAgain = false

  /// The fields of one of the rows.
  func fields(at index: Int) -> [String: StoryValue] {
    guard names.count > 1 else { return fields }
    let digits = names[index].reversed().prefix(while: \.isNumber).reversed()
    return fields.mapValues { $0.numbered(String(digits)) }
  }
}

/// The extent of a sync or a plan.
struct RunScope: Sendable {
  var stages = StageSelection.all
  var comparison = SyncComparison.rolling
  var adopting: Set<StoreAdoption> = []
}

/// Fields that a class is declared with, or gains.
struct StoryFields: Sendable {
  var className: String
  var fields: [Field]
}

/// The fate of a request on its way, or of the answer on its way back.
enum Fate: Sendable, Hashable {
  case passes
  /// It never reaches the server, and the device cannot know.
  case isLost
  /// The server carries it out, and the answer never comes.
  case losesItsAnswer
  /// The server carries it out and closes the connection instead of answering.
  case losesItsConnection
  /// The device gives up waiting; it reaches the server when the story says `deliver`.
  case isDelayed
  /// No connection comes about: no byte left.
  case cannotConnect
  /// Something else answers in the server's place, and nothing is carried out.
  case isAnswered(status: Int, body: String?)
  /// The server carries it out, and something else reaches the device.
  case isDoneButAnswered(status: Int, body: String?)
  /// The answer says the same in other words: keys in another order, `1.0` for `1`, files elsewhere.
  case isReworded
  /// The answer comes after that time.
  case takes(Duration)
  /// The answer has no `Date`, or one that much ahead.
  case date(ahead: Duration?)
}

/// A statement that a story expects of a sync or a plan.
enum Claim: Sendable, Hashable {
  case outcome(SyncReport.Outcome)
  /// The run is stopped by an error of that code.
  case stops(String)
  case requests(atMost: Int)
  case notice(String)
  case holds(Int, className: String)
  /// Exactly these actions, counted by kind and class.
  case does([ClaimedAction])
  /// Exactly what the last plan showed.
  case asPlanned
}

/// How many actions of a kind there are for a class.
struct ClaimedAction: Sendable, Hashable {
  var kind: SyncAction.Kind
  var count: Int
  var className: String

  var text: String { "\(kind.rawValue) \(count) \(className)" }
}
