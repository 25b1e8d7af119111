// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
public import FerryModel
import FerryPlanning
import Randomness

/// Makes a world by chance: first its settings and classes, then one event after another.
///
/// It knows only which names exist, not what becomes of the rows. An event may therefore find nothing to do.
struct WorldMaker {
  var chance: Chance
  var settings = WorldSettings()
  var classes: [WorldClass] = []
  /// The rows made so far, with their classes.
  private var rows: [(name: String, class: Int)] = []
  /// The last stamp.
  private var stamp = 0

  /// Makes settings, and classes where none are given.
  init(by chance: Chance, classes: [WorldClass]?) {
    self.chance = chance
    makeSettings()
    if let classes { self.classes = classes } else { makeClasses() }
  }

  private mutating func makeSettings() {
    settings.deviceCount = chance.pick(weighted: [(6, 2), (4, 3), (1, 4), (1, 5)])
    settings.allowsCustomIDs = chance.one(in: 2)
    settings.localWins = chance.one(in: 3)
    settings.editWins = chance.one(in: 2)
    settings.maxLimit = chance.pick(weighted: [(6, nil), (1, 1), (1, 2), (1, 7)])
    settings.brokenBatch = chance.one(in: 16)
    settings.sync.pageSize = chance.pick(weighted: [(4, 1000), (1, 1), (1, 2), (1, 3)])
    settings.sync.batchSize = chance.pick(weighted: [(4, 50), (1, 1), (1, 2)])
    // A world has few records, and batches wait for one another only beyond those in flight.
    if settings.sync.batchSize < 50 { settings.sync.batchesInFlight = 1 }
    // The faults of a world are many, and no record shall be parked for them.
    settings.sync.attemptLimit = 1000
    settings.sync.overlap = .seconds(chance.pick([90, 300]))
    settings.plans = chance.one(in: 4)
    settings.hasUnreadable = chance.one(in: 6)
    settings.hasOlderPrograms = chance.one(in: 6)
  }

  private mutating func makeClasses() {
    let names = ["Game", "League", "Team", "Player"].prefix(2 + chance.number(below: 3))
    for name in names {
      let isFiltered = chance.one(in: 3)
      let deletions = chance.pick(
        weighted: [
          (5, DeletionStrategy.counting), (2, .softDelete(field: WorldClass.Name.flag)),
          (1, .fullScan), (isFiltered ? 0 : 1, .never),
        ])
      let fields = ["first", "second"].prefix(chance.number(below: 3))
      let pointers = fields.map { ($0, chance.pick(Array(names))) }
      classes.append(
        WorldClass(
          name: name, isFiltered: isFiltered, deletions: deletions, pointers: pointers))
    }
  }

  /// The rows that everybody has at the beginning.
  mutating func given() -> [Edit] {
    (0..<chance.number(below: chance.pick([5, 5, 5, 16]))).map { _ in insert(by: "g") }
  }

  mutating func events() -> [Event] {
    let count = 4 + chance.number(below: chance.pick([24, 24, 72]))
    return (0..<count).flatMap { _ in chance.one(in: 150) ? deletionOfAll() : [event()] }
  }

  /// Another client deletes all rows of a class.
  private mutating func deletionOfAll() -> [Event] {
    let place = chance.number(below: classes.count)
    return rows.filter { $0.class == place }.map { .edit(.client, .delete($0.name)) }
  }

  private mutating func event() -> Event {
    switch chance.number(below: 100) {
    case 0..<40:
      let device = device()
      return .edit(.app(device), edit(by: Writer.letter(of: device)))
    case 40..<50: return .edit(.client, edit(by: "c"))
    case 50..<84: return sync()
    case 84..<90: return .pass(chance.pick([20, 100, 200, 600, 100_000]))
    case 90..<95: return .deliver
    case 95..<96: return .reopen(device())
    case 96..<98 where settings.hasOlderPrograms:
      return chance.one(in: 3) ? .reopen(device()) : .reopenOlder(device())
    case 96..<97: return .backUp(device())
    case 97..<98:
      let device = device()
      return .goBack(device, toBackupOf: chance.one(in: 4) ? self.device() : device)
    case 98..<99: return .setClock(device(), daysAhead: chance.pick([-400, -1, 1, 400, 0]))
    default: return chance.one(in: 2) ? .renumber(device()) : .edit(.client, edit(by: "c"))
    }
  }

  private mutating func device() -> Int { chance.number(below: settings.deviceCount) }

  // MARK: Syncs

  private mutating func sync() -> Event {
    let device = device()
    let selection: StageSelection =
      switch chance.number(below: 12) {
      case 0: .only(chance.pick(StageName.allCases))
      case 1: .through(chance.pick(StageName.allCases))
      default: .all
      }
    let count = chance.pick(weighted: [(3, 0), (3, 1), (3, 3), (2, 6)])
    let interruptions = (0..<count).map { _ in interruption(of: device) }
      .sorted { $0.moment < $1.moment }
    return .sync(device, selection, chance.one(in: 12) ? .everything : .rolling, interruptions)
  }

  private mutating func interruption(of device: Int) -> Interruption {
    let moment = chance.number(below: chance.pick([8, 16, 32]))
    switch chance.number(below: 20) {
    case 0..<6:
      return Interruption(
        moment: moment, act: .edit(.app(device), edit(by: Writer.letter(of: device))))
    case 6..<10: return Interruption(moment: moment, act: .edit(.client, edit(by: "c")))
    case 10..<11:
      let other = self.device()
      return Interruption(
        moment: moment, act: other == device ? .fate(fate()) : .sync(other))
    case 11..<13: return Interruption(moment: moment, act: .kill)
    default: return Interruption(moment: moment, act: .fate(fate()))
    }
  }

  private mutating func fate() -> Fate {
    chance.pick(
      weighted: [
        (3, .isLost), (1, .cannotConnect), (4, .isDelayed), (2, .arrivesTwice),
        (1, .isAnswered(500)), (1, .isAnswered(429)), (1, .isAnswered(503)),
        (5, .losesItsAnswer), (2, .failsInPart(at: chance.number(below: 3))),
        (2, .isDoneButAnswered(500)), (1, .isTruncated),
        (1, .isSlow),
      ])
  }

  // MARK: Edits

  private mutating func edit(by writer: String) -> Edit {
    guard !rows.isEmpty, !chance.one(in: 4) else { return insert(by: writer) }
    let row = chance.pick(rows)
    guard !chance.one(in: 4) else { return .delete(row.name) }
    var fields: [String: Content] = [:]
    let made = classes[row.class]
    guard !made.editable.isEmpty else { return insert(by: writer) }
    for _ in 0...chance.number(below: 2) {
      let field = chance.pick(made.editable)
      fields[field] = content(of: field, made, by: writer)
    }
    if writer == "c", settings.hasUnreadable, chance.one(in: 5), let whole = made.whole {
      fields[whole] = .half(stamp)
    }
    return .set(row.name, fields)
  }

  private mutating func insert(by writer: String) -> Edit {
    let place = chance.number(below: classes.count)
    let made = classes[place]
    let name = "r\(rows.count + 1)"
    var fields: [String: Content] = [:]
    for field in made.basic { fields[field] = content(of: field, made, by: writer) }
    for field in made.editable where chance.one(in: 2) {
      fields[field] = content(of: field, made, by: writer)
    }
    rows.append((name, place))
    fields[made.title] = .text(name)
    return .insert(name, className: made.name, fields)
  }

  private mutating func content(of field: String, _ made: WorldClass, by writer: String) -> Content
  {
    stamp += 1
    if let pointer = made.pointers.first(where: { $0.field == field }) {
      let targets = rows.filter { classes[$0.class].name == pointer.target }
      return targets.isEmpty || chance.one(in: 6) ? .empty : .row(chance.pick(targets).name)
    }
    if made.basic.contains(field) {
      let isOutside = made.filters(by: field) && chance.one(in: 3)
      return made.content(of: field, stamp, by: writer, isOutside: isOutside)
    }
    guard !chance.one(in: 8) else { return .empty }
    return referring(made.content(of: field, stamp, by: writer))
  }

  /// The value, with a pointer to a row in some arrays and objects, and nothing in others.
  private mutating func referring(_ content: Content) -> Content {
    switch content {
    case .array where chance.one(in: 8): .array([])
    case .object where chance.one(in: 8): .object([:])
    case .array(let elements) where !rows.isEmpty && chance.one(in: 4):
      .array(elements + [.row(chance.pick(rows).name)])
    case .object(let members) where !rows.isEmpty && chance.one(in: 4):
      .object(members.merging(["of": .row(chance.pick(rows).name)], uniquingKeysWith: { $1 }))
    default: content
    }
  }
}

extension World {
  /// The world of a seed, with classes that chance makes.
  public init(seed: UInt64) { self.init(seed: seed, by: Chance(seed: seed), classes: nil) }

  /// The world of a seed, with an app's classes.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - classes: The classes, from `WorldClass.classes(of:titles:)`.
  public init(seed: UInt64, classes: [WorldClass]) {
    self.init(seed: seed, by: Chance(seed: seed), classes: classes)
  }

  /// The world of a seed, with the schema of an app.
  ///
  /// ```swift
  /// let world = try World(seed: 1, schema: schema)
  /// let outcome = Simulation().play(world)
  /// if let violation = outcome.violation { print(violation) }
  /// ```
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - schema: The schema, as the app gives it to its store.
  ///   - titles: For a class, the text field that names its rows; for others, the first that no filter compares.
  /// - Throws: `WorldSchemaError` for the first thing that no world can have.
  public init(
    seed: UInt64, schema: Schema, titles: [String: String] = [:]
  ) throws(WorldSchemaError) {
    self.init(seed: seed, classes: try WorldClass.classes(of: schema, titles: titles))
  }

  /// The world of a seed in which a class has a relation whose members the devices keep.
  ///
  /// Nothing in it hides changes of members from the rules: no device goes back to a backup, no clock is wrong, and no
  /// program with other fields starts.
  public init(seed: UInt64, hasMembers: Bool) {
    var maker = WorldMaker(by: Chance(seed: seed), classes: nil)
    maker.settings.hasOlderPrograms = false
    maker.settings.hasUnreadable = false
    let given = maker.given()
    self.init(
      seed: seed, settings: maker.settings, classes: maker.classes, given: given,
      events: maker.events())
    Motifs.weave(into: &self)
    events.removeAll { event in
      switch event {
      case .backUp, .goBack, .setClock: true
      default: false
      }
    }
    if hasMembers { Members.weave(into: &self) }
  }

  /// The world that bytes decide, one byte a decision.
  package init(decisions: [UInt8]) {
    self.init(seed: 1, by: Chance(decisions: decisions), classes: nil)
  }

  private init(seed: UInt64, by chance: Chance, classes: [WorldClass]?) {
    var maker = WorldMaker(by: chance, classes: classes)
    // Its chance is its own, so that the rest of the world is the same with and without imports beside the download.
    var ahead = Chance(seed: seed ^ 0x4148_4541)
    maker.settings.sync.rowsPerImport = ahead.pick([1, 2, maker.settings.sync.rowsPerImport])
    let given = maker.given()
    self.init(
      seed: seed, settings: maker.settings, classes: maker.classes, given: given,
      events: maker.events())
    Motifs.weave(into: &self)
    UserLife.weave(into: &self)
    ClassRights.weave(into: &self)
    SchemaChanges.weave(into: &self)
    TwoPrograms.weave(into: &self)
    RetypedPrograms.weave(into: &self)
    Overlaps.weave(into: &self)
    AppTrigger.weave(into: &self)
    Decisions.weave(into: &self)
    Restorations.weave(into: &self)
    PrivateClasses.weave(into: &self)
    ChosenClasses.weave(into: &self)
    SharedRows.weave(into: &self)
    OnDemand.weave(into: &self)
    SelfRunning.weave(into: &self)
  }
}
