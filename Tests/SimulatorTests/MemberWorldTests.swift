// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerrySimulator

/// Worlds in which a class has a relation whose members the devices keep.
@Suite(.serialized) struct MemberWorldTests {
  private typealias Pair = MemberHistory.Pair

  private let simulation = Simulation(
    folder: Simulation.standardFolder.appending(path: UUID().uuidString))
  private let pair = Pair(owner: "r1", member: "r2")

  @Test(arguments: UInt64(2_100_000_000)...2_100_000_011)
  func `no rule is broken where apps and clients change members`(in seed: UInt64) {
    let world = World(seed: seed, hasMembers: true)
    #expect(world.classes.contains { $0.members != nil })
    #expect(simulation.play(world).violation == nil)
  }

  @Test func `a create that comes too late is another record, and a pointer to its row waits`() {
    #expect(simulation.play(World(seed: 2_100_000_254, hasMembers: true)).violation == nil)
  }

  private func history(_ changes: (adds: Bool, isDecisive: Bool)...) -> MemberHistory {
    var history = MemberHistory()
    for change in changes {
      history.made(
        MemberEdit(owner: pair.owner, member: pair.member, adds: change.adds),
        isDecisive: change.isDecisive)
    }
    return history
  }

  private func rule(
    of history: MemberHistory, on server: Set<MemberHistory.Pair>
  ) -> Violation.Rule? {
    do throws(Violation) {
      try history.check(server: server) { _ in true }
      return nil
    } catch {
      return error.rule
    }
  }

  @Test func `the last change of a member counts, if its writer knew all others`() {
    #expect(rule(of: history((true, true)), on: []) == .lostWrite)
    #expect(rule(of: history((true, true)), on: [pair]) == nil)
    #expect(rule(of: history((true, true), (false, true)), on: [pair]) == .resurrection)
    #expect(rule(of: history((true, true), (false, true)), on: []) == nil)
    #expect(rule(of: history((true, true), (false, false)), on: [pair]) == nil)
  }

  @Test func `a device has the pairs of the server, each once`() {
    func rule(_ here: [MemberHistory.Pair], _ server: Set<MemberHistory.Pair>) -> Violation.Rule? {
      do throws(Violation) {
        try MemberHistory().check("A", here, server: server) { $0.owner != "gone" }
        return nil
      } catch {
        return error.rule
      }
    }
    #expect(rule([pair], [pair]) == nil)
    #expect(rule([], [pair]) == .divergence)
    #expect(rule([pair], []) == .divergence)
    #expect(rule([pair, pair], [pair]) == .duplicate)
    #expect(rule([Pair(owner: "gone", member: "r2")], []) == nil)
  }
}
