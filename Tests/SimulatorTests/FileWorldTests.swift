// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerrySimulator

/// Worlds of files: the first ones, and those that found faults.
@Suite(.timeLimit(.minutes(5)))
struct FileWorldTests {
  @Test(arguments: (0..<12).map { 2_300_100_000 + UInt64($0) } + [2_300_100_660])
  func `no content is lost, and none is named twice`(seed: UInt64) throws {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = try FileWorld(seed: seed, in: folder)
    let violation = world.play()
    #expect(violation == nil, "seed \(seed): \(violation?.message ?? "")")
  }

  private let place = RowField(row: "r1", field: "image")

  @Test func `a content that nobody gave is seen`() {
    var ledger = FileLedger()
    ledger.give("a", to: place, by: 0)
    #expect(ledger.arrive("a", at: place, isNew: true, isLate: false) == nil)
    #expect(ledger.arrive("b", at: place, isNew: false, isLate: false)?.rule == .phantom)
  }

  @Test func `a content that comes again is seen`() {
    var ledger = FileLedger()
    ledger.give("a", to: place, by: 0)
    ledger.give("b", to: place, by: 1)
    #expect(ledger.arrive("a", at: place, isNew: false, isLate: false) == nil)
    #expect(ledger.arrive("b", at: place, isNew: false, isLate: false) == nil)
    #expect(ledger.arrive("a", at: place, isNew: false, isLate: false)?.rule == .staleValue)
    #expect(ledger.arrive("b", at: place, isNew: false, isLate: true) == nil)
  }

  @Test func `a content that does not arrive is seen, also where an equal one was there before`() {
    var ledger = FileLedger()
    ledger.give("a", to: place, by: 0)
    #expect(ledger.gifts[0]?[place].map { ledger.hasArrived($0, at: place) } == false)
    _ = ledger.arrive("a", at: place, isNew: true, isLate: false)
    #expect(ledger.gifts[0]?[place].map { ledger.hasArrived($0, at: place) } == true)
    _ = ledger.arrive(nil, at: place, isNew: false, isLate: false)
    ledger.give("a", to: place, by: 0)
    #expect(ledger.gifts[0]?[place].map { ledger.hasArrived($0, at: place) } == false)
    ledger.takeBack(place, by: 0)
    #expect(ledger.gifts[0]?[place] == nil)
  }
}
