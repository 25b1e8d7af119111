// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning

@Suite struct UploadPlannerTests {
  /// A small world of unsent rows, by class and number.
  struct World {
    var entries: [OutboxEntry] = []
    var records: [RecordKey: Record] = [:]

    static func id(_ className: String, _ number: Int64) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: className == "League" ? "a" : "b", count: 20 - digits.count) + digits
    }

    let now = Timestamp(milliseconds: 1_000_000)

    @discardableResult
    mutating func add(
      _ className: String, _ number: Int64, _ kind: OutboxEntry.Kind = .create,
      _ fields: Fields = [:], state: OutboxEntry.State = .ready, failures: [Bool] = []
    ) -> RecordKey {
      var entry = OutboxEntry(
        className: className, localID: LocalID(rawValue: number),
        objectID: Self.id(className, number),
        kind: kind, foldedThrough: .start)
      entry.enter(state)
      entry.changed = Set(fields.names)
      for isShared in failures { entry.failures.add(isShared: isShared, at: now) }
      entries.append(entry)
      records[entry.key] = Record(
        className: className, localID: entry.localID, objectID: entry.objectID, fields: fields)
      return entry.key
    }

    func planner(
      held: Set<RecordKey> = [], dangling: Set<Pointer> = [],
      unreadable: [RecordKey: UnreadableRemote] = [:]
    ) -> UploadPlanner {
      UploadPlanner(
        entries: entries, records: records, held: held, dangling: dangling,
        unreadable: unreadable, at: now)
    }

    /// The wave of one pass; where only circles are left, the record that breaks one.
    func createWave() -> UploadPlanner.Wave {
      var wave = planner().creates()
      var order = CreateOrder(upTo: [:])
      order.take(wave)
      guard case .breakCircle(let start) = order.endPass() else { return wave }
      let opener = Cycles.opener(from: start) { wave.waiting[$0] ?? [] }
      wave.writes = opener.map { [$0] } ?? []
      return wave
    }
  }

  static func to(_ className: String, _ number: Int64) -> Value {
    .pointer(Pointer(className: className, objectID: World.id(className, number)))
  }

  @Test func `parents are sent before their children`() {
    var world = World()
    let league = world.add("League", 1)
    world.add("Game", 1, .create, ["league": Self.to("League", 1)])
    let wave = world.planner().creates()
    #expect(wave.writes.map(\.key) == [league])
    #expect(wave.stuck.isEmpty)
  }

  @Test func `a child is sent when its parent has an id`() {
    var world = World()
    let game = world.add("Game", 1, .create, ["league": Self.to("League", 1)])
    #expect(world.planner().creates().writes == [.init(key: game, plannedThrough: .start)])
  }

  @Test func `targets on another page of the outbox count too`() {
    var world = World()
    let league = world.add("League", 1)
    let game = world.add("Game", 1, .create, ["league": Self.to("League", 1)])
    let page = world.entries.filter { $0.key == game }
    func wave(held: Set<RecordKey>) -> UploadPlanner.Wave {
      UploadPlanner(
        entries: page, targets: world.entries, records: world.records, held: held, at: world.now
      ).creates()
    }
    #expect(wave(held: []).writes.isEmpty)
    #expect(wave(held: []).waiting[game] == [.init(field: "league", key: league)])
    #expect(
      wave(held: [league]).stuck[game]
        == .blocked(by: .record(Waiting(league, field: "league"))))
  }

  @Test func `pointers inside arrays count too`() {
    var world = World()
    let league = world.add("League", 1)
    world.add("Game", 1, .create, ["leagues": [["in": [Self.to("League", 1)]]]])
    #expect(world.planner().creates().writes.map(\.key) == [league])
  }

  @Test func `a cycle is opened only at its oldest record`() {
    var world = World()
    let first = world.add("Game", 1, .create, ["next": Self.to("Game", 2), "title": "a"])
    world.add("Game", 2, .create, ["next": Self.to("Game", 1)])
    world.add("Game", 3, .create, ["next": Self.to("Game", 2)])
    #expect(world.createWave().writes == [.init(key: first, withheld: ["next"])])
  }

  @Test func `a record that points at a cycle waits with all its pointers`() {
    var world = World()
    world.add("Game", 1, .create, ["next": Self.to("Game", 2)])
    let second = world.add("Game", 2, .create, ["next": Self.to("Game", 3)])
    world.add("Game", 3, .create, ["next": Self.to("Game", 2)])
    #expect(world.createWave().writes == [.init(key: second, withheld: ["next"])])
  }

  @Test func `a record that points at itself is sent without that pointer`() {
    var world = World()
    let game = world.add("Game", 1, .create, ["self": Self.to("Game", 1)])
    #expect(world.createWave().writes == [.init(key: game, withheld: ["self"])])
  }

  @Test(arguments: [
    OutboxEntry.State.inDoubt, .parked(Refusal(reason: .refused, message: "no")), .sending,
  ])
  func `children of a stuck parent name the record they wait for`(_ state: OutboxEntry.State) {
    var world = World()
    let league = world.add("League", 1, state: state)
    let game = world.add("Game", 1, .create, ["league": Self.to("League", 1)])
    let grandchild = world.add("Game", 2, .create, ["before": Self.to("Game", 1)])
    let wave = world.planner().creates()
    #expect(wave.writes.isEmpty)
    #expect(wave.stuck[game] == .blocked(by: .record(Waiting(league, field: "league"))))
    #expect(wave.stuck[grandchild] == .blocked(by: .record(Waiting(game, field: "before"))))
  }

  @Test func `a change waits for every record that one field points to`() {
    var world = World()
    let stuck = world.add("League", 1, state: .inDoubt)
    let middle = world.add("Game", 1, .create, ["league": Self.to("League", 1)])
    let free = world.add("League", 2)
    let game = world.add("Game", 2, .create, ["all": [Self.to("Game", 1), Self.to("League", 2)]])
    let wave = world.planner().creates()
    #expect(wave.writes.map(\.key) == [free])
    #expect(wave.stuck[middle] == .blocked(by: .record(Waiting(stuck, field: "league"))))
    #expect(wave.stuck[game] == .blocked(by: .record(Waiting(middle, field: "all"))))
  }

  @Test func `a pointer to a deleted row parks the record that holds it`() {
    var world = World()
    let game = world.add("Game", 1, .create, ["league": Self.to("League", 9)])
    let gone = Pointer(className: "League", objectID: World.id("League", 9))
    let wave = world.planner(dangling: [gone]).creates()
    #expect(wave.stuck[game] == .parked(.targetGone("league")))
    #expect(wave.writes.isEmpty)
  }

  @Test func `an update sends its other fields while a pointer waits`() {
    var world = World()
    let league = world.add("League", 1, state: .inDoubt)
    let game = world.add("Game", 1, .update, ["league": Self.to("League", 1), "title": "x"])
    let wave = world.planner().updates()
    #expect(wave.writes == [.init(key: game, withheld: ["league"], plannedThrough: .start)])
    #expect(wave.stuck[game] == .blocked(by: .record(Waiting(league, field: "league"))))
  }

  @Test func `an update of only a waiting pointer is not sent`() {
    var world = World()
    world.add("League", 1)
    world.add("Game", 1, .update, ["league": Self.to("League", 1)])
    let wave = world.planner().updates()
    #expect(wave.writes.isEmpty)
    #expect(wave.stuck.count == 1)
  }

  @Test func `an entry that is held is not sent and holds its children back`() {
    var world = World()
    let held = world.add("League", 2)
    let child = world.add("Game", 1, .create, ["league": Self.to("League", 2)])
    let wave = world.planner(held: [held]).creates()
    #expect(wave.writes.isEmpty)
    #expect(wave.stuck.keys.sorted() == [child])
    #expect(world.planner().creates().writes.map(\.key) == [held])
  }

  @Test func `only the fields that conflict with an unreadable version wait for it`() {
    var world = World()
    let game = world.add("Game", 1, .update, ["title": "mine", "score": 2])
    world.entries[0].base = ["title": "theirs", "score": 1]
    let gone = world.add("Game", 2, .delete)
    let remote = UnreadableRemote(fields: ["title": "theirs", "score": 1.5], reason: "No.")
    let planner = world.planner(unreadable: [game: remote, gone: remote])
    #expect(
      planner.updates().writes == [.init(key: game, withheld: ["score"], plannedThrough: .start)])
    #expect(planner.updates().stuck[game] == .blocked(by: .quarantine("No.")))
    #expect(planner.deletes().writes.isEmpty)
    #expect(planner.deletes().stuck[gone] == .blocked(by: .quarantine("No.")))
    let unread = UnreadableRemote(fields: nil, reason: "No.")
    #expect(world.planner(unreadable: [game: unread]).updates().writes.isEmpty)
  }

  @Test func `deletes go in one wave`() {
    var world = World()
    world.add("Game", 2, .delete)
    world.add("Game", 1, .delete)
    world.add("Game", 3, .deleteAfterCreate, state: .inDoubt)
    #expect(world.planner().deletes().writes.map(\.key.localID.rawValue) == [1, 2])
  }

  /// Every generated world empties: parents always before children, each record sent exactly once.
  @Test(arguments: 0..<200)
  func `every world sends each record once, parents before children`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var world = World()
    let count = Int64.random(in: 1...8, using: &random)
    for number in 1...count {
      var fields: Fields = ["title": "t"]
      for field in ["a", "b"] where Bool.random(using: &random) {
        fields[field] = Self.to("Game", Int64.random(in: 1...count, using: &random))
      }
      world.add("Game", number, .create, fields)
    }
    var sent: [RecordKey: Set<String>] = [:]
    while !world.entries.isEmpty {
      let wave = world.createWave()
      #expect(wave.stuck.isEmpty)
      guard !wave.writes.isEmpty else {
        Issue.record("Nothing can be sent of \(world.entries.count)")
        return
      }
      for write in wave.writes {
        #expect(sent[write.key] == nil)
        sent[write.key] = write.withheld
        for (field, value) in world.records[write.key]?.fields.values ?? [:]
        where !write.withheld.contains(field) {
          for pointer in value.pointers {
            #expect(!world.entries.contains { $0.objectID == pointer.objectID })
          }
        }
      }
      let keys = Set(wave.writes.map(\.key))
      world.entries.removeAll { keys.contains($0.key) }
    }
    #expect(sent.count == Int(count))
  }

  @Test func `changes that go alone come last`() {
    var world = World()
    let alone = world.add("Game", 1, .update, ["title": "a"], failures: [true])
    let other = world.add("Game", 2, .update, ["title": "b"], failures: [false])
    let wave = world.planner().updates()
    #expect(wave.writes.map(\.key) == [other, alone])
    #expect(wave.writes.map(\.goesAlone) == [false, true])
  }

  @Test(arguments: [OutboxEntry.Kind.create, .update, .delete])
  func `a change that failed often pauses`(_ kind: OutboxEntry.Kind) throws {
    var world = World()
    let key = world.add(
      "Game", 1, kind, ["title": "a"], failures: Array(repeating: false, count: 5))
    let planner = world.planner()
    let waves = [planner.creates(), planner.updates(), planner.deletes()]
    #expect(waves.flatMap(\.writes) == [])
    let end = try #require(world.entries.first?.failures.pauseEnd(after: world.now))
    #expect(waves.compactMap { $0.stuck[key] } == [.blocked(by: .backOff(until: end))])
  }
}
