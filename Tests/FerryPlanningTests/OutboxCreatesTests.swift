// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerryPlanning
@testable import PlannerCases

/// Creates and deletes whose outcome is not known at once.
@Suite(.timeLimit(.minutes(5)))
struct OutboxCreatesTests {
  let maximumRequestDuration = FoldingWorld.maximumRequestDuration
  let version = FoldingWorld.laterVersion
  let time = FoldingWorld.createdAt

  private func lostCreate() -> (world: FoldingWorld, id: LocalID) {
    var world = FoldingWorld()
    let id = world.insert("m1", ["f": 1, "g": 1])
    world.fold()
    world.send(id)
    world.change(id) { $0.lose(timedOut: true) }
    return (world, id)
  }

  @Test func `a lost create that arrived is acknowledged`() {
    var (world, id) = lostCreate()
    world.change(id) {
      $0.resolvePresent(
        version: version, createdAt: time, remote: ["f": 1, "g": 1], current: ["f": 1, "g": 1])
    }
    #expect(world[id] == nil)
  }

  @Test func `a lost create that arrived leaves a later edit as an update`() {
    var (world, id) = lostCreate()
    world.update(id, ["f": 2, "g": .null])
    world.fold()
    world.change(id) {
      $0.resolvePresent(
        version: version, createdAt: time, remote: ["f": 1, "g": 1], current: ["f": 2])
    }
    #expect(world[id]?.kind == .update)
    #expect(world[id]?.changed == ["f", "g"])
    #expect(world[id]?.base == ["f": 1, "g": 1])
    #expect(world[id]?.createdAt == time)
    #expect(world[id]?.acknowledgedVersion == version)
  }

  @Test func `another client's edit of a lost create conflicts only in the edited field`() {
    var (world, id) = lostCreate()
    world.update(id, ["f": 2])
    world.fold()
    world.change(id) {
      $0.resolvePresent(
        version: version, createdAt: time, remote: ["f": 8, "g": 1], current: ["f": 2, "g": 1])
    }
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.isRemoteUnchanged("f", 8) == false)
    #expect(world[id]?.acknowledgedVersion == nil)
  }

  @Test func `withheld pointers become an update after the create`() {
    var world = FoldingWorld()
    let pointer = Value.pointer(Pointer(className: "Game", objectID: "other"))
    let id = world.insert("m1", ["f": 1, "twin": pointer])
    world.fold()
    var attempt = Attempt(
      kind: .create, sent: ["f": 1], withheld: ["twin"], token: .start, startedAt: time)
    attempt.mayStillRun = true
    world.change(id) { $0.begin(attempt) }
    world.change(id) {
      $0.acknowledge(
        answer: [:], version: nil, createdAt: time, current: ["f": 1, "twin": pointer])
    }
    #expect(world[id]?.kind == .update)
    #expect(world[id]?.changed == ["twin"])
    #expect(world[id]?.base == ["twin": .null])
  }

  /// A create times out, the user deletes the row, the create commits late.
  @Test func `the late commit of a cancelled create is deleted`() {
    var (world, id) = lostCreate()
    world.delete(id)
    world.fold()
    #expect(world[id]?.state == .inDoubt)
    world.change(id) { $0.resolveAbsent() }
    #expect(world[id]?.kind == .deleteAfterCreate)
    #expect(world[id]?.state == .confirming, "a tombstone")

    var absent = world
    absent.change(id) {
      $0.confirmAbsent(
        listingStartedAt: Timestamp(milliseconds: 120_000),
        maximumRequestDuration: maximumRequestDuration, current: nil)
    }
    #expect(absent[id] == nil)

    world.change(id) {
      $0.resolvePresent(version: version, createdAt: time, remote: ["f": 1, "g": 1], current: nil)
    }
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.state == .ready)
    world.send(id)
    world.change(id) {
      $0.acknowledge(answer: [:], version: nil, createdAt: nil, current: nil)
    }
    #expect(world[id] == nil)
  }

  @Test func `a create sent twice and deleted leaves a tombstone for the first attempt`() {
    var (world, id) = lostCreate()
    world.send(id, at: 1_000)
    world.change(id) {
      $0.acknowledge(
        answer: [:], version: nil, createdAt: time, current: ["f": 1, "g": 1])
    }
    #expect(world[id]?.state == .confirming)
    world.delete(id)
    world.fold()
    world.send(id, at: 2_000)
    world.change(id) {
      $0.acknowledge(answer: [:], version: nil, createdAt: nil, current: nil)
    }
    #expect(world[id]?.state == .confirming)
    world.change(id) { $0.confirm(remote: ["f": 1], at: 3_000, maximumRequestDuration) }
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.state == .ready)
  }

  // MARK: - A record that may be another client's

  @Test func `a record with other content may be another client's`() {
    let (world, id) = lostCreate()
    #expect(world[id]?.isUnproven(by: ["f": 7, "g": 1], version: version, createdAt: time) == true)
  }

  @Test func `a record under a minted key is the create's work once somebody has edited it`() {
    var world = FoldingWorld()
    let id = world.insert("0123456789abcdef0123", ["f": 1, "g": 1])
    world.fold()
    world.send(id, clientKey: "0123456789abcdef0123")
    world.change(id) { $0.lose(timedOut: true) }
    let created = ServerVersion(rawValue: time.description)
    #expect(
      world[id]?.isUnproven(by: ["f": 1], version: version, createdAt: time) == false)
    #expect(
      world[id]?.isUnproven(by: ["f": 1], version: created, createdAt: time) == true,
      "a copy of this store created it with other values")
  }

  @Test func `a record with all that a create sent is the create's work`() {
    var (world, id) = lostCreate()
    #expect(
      world[id]?.isUnproven(by: ["f": 1, "g": 1, "other": 3], version: version, createdAt: time)
        == false)
    world.change(id) { $0.resolveAbsent() }
    world.update(id, ["f": 2])
    world.fold()
    world.send(id)
    #expect(world[id]?.attempts.count == 2)
    #expect(
      world[id]?.isUnproven(by: ["f": 1, "g": 1], version: version, createdAt: time) == false,
      "the earlier attempt's content")
  }

  @Test func `no value of a create counts as sent where the record does not prove it`() {
    var (world, id) = lostCreate()
    world.change(id) {
      $0.resolvePresent(
        version: version, createdAt: time, remote: ["f": 8, "g": 1], current: ["f": 1, "g": 1])
    }
    #expect(world[id]?.kind == .update)
    #expect(world[id]?.changed == ["f"])
    #expect(world[id]?.base["f"] == .null)
  }

  // MARK: - A clock that was set back

  @Test func `attempts dated in the future count from now`() {
    var (world, id) = lostCreate()
    world.change(id) { $0.trustClock(at: time, uptime: 0) }
    #expect(world[id]?.attempts.map(\.startedAt) == [Timestamp(milliseconds: 0)])
    let before = Timestamp(milliseconds: -1)
    world.change(id) { $0.trustClock(at: before, uptime: 0) }
    #expect(world[id]?.attempts.map(\.startedAt) == [before])
  }

  @Test func `an absent create is sent again and watched`() {
    var (world, id) = lostCreate()
    world.change(id) { $0.resolveAbsent() }
    #expect(world[id]?.kind == .create)
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.attempts.map(\.outcome) == [.late])
  }

  @Test func `a lost delete is resolved whether the record is present or absent`() {
    var world = FoldingWorld()
    let id = world.synced("s1", ["f": 1])
    world.delete(id)
    world.fold()
    world.send(id)
    world.change(id) { $0.lose(timedOut: true) }
    var absent = world
    absent.change(id) { $0.resolveAbsent() }
    #expect(absent[id] == nil)
    world.change(id) {
      $0.resolvePresent(version: version, createdAt: time, remote: ["f": 1], current: nil)
    }
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.acknowledgedVersion == version)
  }

  @Test func `a row deleted during an update is deleted on the server afterwards`() {
    var world = FoldingWorld()
    let id = world.synced("s1", ["f": 0])
    world.update(id, ["f": 1])
    world.fold()
    world.send(id)
    world.delete(id)
    world.fold()
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.state == .sending)
    world.change(id) {
      $0.acknowledge(answer: [:], version: version, createdAt: nil, current: nil)
    }
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.base == ["f": 1])
  }

  @Test(arguments: [true, false])
  func `a failed delete of a row inserted again stays in doubt`(refused: Bool) {
    var world = FoldingWorld()
    let id = world.synced("s1", ["f": 0])
    world.delete(id)
    world.fold()
    world.send(id)
    let new = world.insert("s1", ["f": 0, "g": 2])
    world.fold()
    #expect(world[new]?.kind == .create)
    world.change(new) { entry in
      if refused {
        entry.refuse(Refusal(reason: .noPermission, message: "no"))
      } else {
        entry.postpone()
      }
    }
    #expect(world[new]?.state == .inDoubt)
    world.change(new) {
      $0.resolvePresent(
        version: version, createdAt: time, remote: ["f": 0], current: ["f": 0, "g": 2])
    }
    #expect(world[new]?.kind == .update)
    #expect(world[new]?.changed == ["g"])
    #expect(world[new]?.attempts.isEmpty == true)
  }
}
