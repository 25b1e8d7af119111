// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning
@testable import PlannerCases

/// The effect of answers, lost answers and later lookups on an entry.
@Suite(.timeLimit(.minutes(5)))
struct OutboxAttemptsTests {
  let maximumRequestDuration = FoldingWorld.maximumRequestDuration
  let version = FoldingWorld.laterVersion
  let time = FoldingWorld.createdAt

  /// A row with f=0 on both sides, then an edit to f=1 that is being sent.
  private func sending() -> (world: FoldingWorld, id: LocalID) {
    var world = FoldingWorld()
    let id = world.synced("s1", ["f": 0])
    world.update(id, ["f": 1])
    world.fold()
    world.send(id)
    return (world, id)
  }

  /// The app edits and sees its edit folded.
  private func edit(_ world: inout FoldingWorld, _ id: LocalID, _ value: Value) {
    world.update(id, ["f": value])
    world.fold()
  }

  @Test(arguments: [2, 0] as [Value])
  func `an edit during an update stays unsent when the response arrives`(later: Value) {
    var (world, id) = sending()
    edit(&world, id, later)
    world.change(id) {
      $0.acknowledge(answer: [:], version: version, createdAt: nil, current: ["f": later])
    }
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.base == ["f": 1])
    #expect(world[id]?.isRemoteUnchanged("f", 1) == true, "a pull that shows f=1 is no conflict")
    #expect(world[id]?.acknowledgedVersion == version)
  }

  @Test(arguments: [2, 0] as [Value])
  func `an edit during an update stays unsent when the response is lost`(later: Value) {
    var (world, id) = sending()
    world.change(id) { $0.lose(timedOut: true) }
    edit(&world, id, later)
    #expect(world[id]?.state == .inDoubt)
    for shown in [0, 1] as [Value] {
      #expect(world[id]?.isRemoteUnchanged("f", shown) == true)
    }
    #expect(world[id]?.isRemoteUnchanged("f", 7) == false)
    world.change(id) {
      $0.resolvePresent(
        version: version, createdAt: time, remote: ["f": 1], current: ["f": later])
    }
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.base == ["f": 1])
  }

  @Test func `an acknowledged entry without newer edits is done`() {
    var (world, id) = sending()
    world.change(id) {
      $0.acknowledge(answer: ["f": 9], version: version, createdAt: nil, current: ["f": 1])
    }
    #expect(world[id] == nil)
  }

  @Test func `the values of the response are the base of later edits`() {
    var (world, id) = sending()
    world.update(id, ["g": 5])
    edit(&world, id, 2)
    world.change(id) {
      $0.acknowledge(
        answer: ["f": 10, "g": 3], version: version, createdAt: nil, current: ["f": 2, "g": 5])
    }
    #expect(world[id]?.base == ["f": 10, "g": 3])
    #expect(world[id]?.changed == ["f", "g"])
  }

  @Test func `a timed-out update that did not arrive is sent again and watched`() {
    var (world, id) = sending()
    world.change(id) { $0.lose(timedOut: true) }
    world.change(id) {
      $0.resolvePresent(version: version, createdAt: time, remote: ["f": 0], current: ["f": 1])
    }
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.mayStillCommit == true)
  }

  @Test func `an update with an unreadable response is sent again without a watch`() {
    var (world, id) = sending()
    world.change(id) { $0.lose(timedOut: false) }
    world.change(id) {
      $0.resolvePresent(version: version, createdAt: time, remote: ["f": 0], current: ["f": 1])
    }
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.attempts.isEmpty == true)
  }

  @Test(arguments: [true, false])
  func `only an attempt that may still run may still commit`(timedOut: Bool) {
    var world = FoldingWorld()
    let id = world.synced("g1", ["title": "A"])
    world.update(id, ["title": "B"])
    world.fold()
    world.send(id)
    world.change(id) { $0.lose(timedOut: timedOut) }
    #expect(world[id]?.hasUnresolvedAttempts == true)
    #expect(world[id]?.mayStillCommit == timedOut)
  }

  @Test func `a value of another client is left to the merge`() {
    var (world, id) = sending()
    world.change(id) { $0.lose(timedOut: false) }
    world.change(id) {
      $0.resolvePresent(version: version, createdAt: time, remote: ["f": 7], current: ["f": 1])
    }
    #expect(world[id]?.base == ["f": 0])
    #expect(world[id]?.isRemoteUnchanged("f", 7) == false)
    #expect(world[id]?.acknowledgedVersion == nil, "a checked write must not pass over it")
  }

  /// PUT f=1 times out, and PUT f=2 is acknowledged.
  private func overtaken() -> (world: FoldingWorld, id: LocalID) {
    var (world, id) = sending()
    world.change(id) { $0.lose(timedOut: true) }
    edit(&world, id, 2)
    world.send(id, at: 1_000)
    world.change(id) {
      $0.acknowledge(answer: [:], version: version, createdAt: nil, current: ["f": 2])
    }
    return (world, id)
  }

  /// After that, f=1 commits late.
  @Test func `a late commit is overwritten`() {
    var (world, id) = overtaken()
    #expect(world[id]?.state == .confirming)
    #expect(world[id]?.isRemoteUnchanged("f", 1) == true)

    var calm = world
    calm.change(id) { $0.confirm(remote: ["f": 2], at: 119_999, maximumRequestDuration) }
    #expect(
      calm[id]?.state == .confirming, "a listing before the maximum request duration proves nothing"
    )
    calm.change(id) { $0.confirm(remote: ["f": 2], at: 120_000, maximumRequestDuration) }
    #expect(calm[id] == nil)

    world.change(id) { $0.confirm(remote: ["f": 1], at: 120_000, maximumRequestDuration) }
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.base == ["f": 1])
    world.send(id, at: 130_000)
    world.change(id) {
      $0.acknowledge(answer: [:], version: version, createdAt: nil, current: ["f": 2])
    }
    #expect(world[id] == nil)
  }

  @Test func `another client's change after a late attempt is not overwritten`() {
    var (world, id) = overtaken()
    world.change(id) { $0.confirm(remote: ["f": 3], at: 500_000, maximumRequestDuration) }
    #expect(world[id] == nil)
  }

  @Test func `a restart puts entries that were being sent in doubt`() {
    var (world, id) = sending()
    world.change(id) { $0.recover() }
    #expect(world[id]?.state == .inDoubt)
    #expect(world[id]?.mayStillCommit == true)
  }

  @Test func `a postponed entry is ready again`() {
    var (world, id) = sending()
    world.change(id) { $0.postpone() }
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.failures.count == 0, "the server did not fail at it")
    #expect(world[id]?.attempts.isEmpty == true)
  }

  @Test func `an undecidable refusal keeps the attempt open`() {
    var (world, id) = sending()
    world.change(id) { $0.lose(timedOut: true) }
    world.change(id) { $0.refuse(Refusal(reason: .undecidable, message: "?")) }
    #expect(world[id]?.hasUnresolvedAttempts == true)
    world.change(id) { $0.retry() }
    #expect(world[id]?.state == .inDoubt)
  }
}

extension OutboxEntry {
  mutating func confirm(remote: Fields, at milliseconds: Int64, _ maximumRequestDuration: Duration)
    -> Bool
  {
    confirm(
      remote: remote, createdAt: FoldingWorld.createdAt,
      listingStartedAt: Timestamp(milliseconds: milliseconds),
      maximumRequestDuration: maximumRequestDuration)
  }
}
