// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Randomness
import Testing

@Suite struct ListDifferenceTests {
  private struct Row: Equatable {
    var id: LocalID
    var text = ""
  }

  private func rows(_ numbers: [Int64]) -> [Row] {
    numbers.map { Row(id: LocalID(rawValue: $0)) }
  }

  private func difference(_ old: [Row], _ new: [Row]) -> ListDifference {
    ListDifference(from: old, to: new, identifiedBy: \.id)
  }

  @Test func `equal lists differ in nothing`() {
    #expect(difference(rows([1, 2, 3]), rows([1, 2, 3])).isEmpty)
    #expect(difference([], []).isEmpty)
  }

  @Test func `a row that goes to the end is the only one that moves`() {
    let found = difference(rows([1, 2, 3, 4]), rows([2, 3, 4, 1]))
    #expect(found.moved == [.init(from: 0, to: 3)])
    #expect(found.removed.isEmpty && found.inserted.isEmpty && found.updated.isEmpty)
  }

  @Test func `a moved row may be updated too`() {
    let new = [Row(id: LocalID(rawValue: 2)), Row(id: LocalID(rawValue: 1), text: "new")]
    let found = difference(rows([1, 2]), new)
    #expect(found.moved.count == 1)
    #expect(found.updated == [1])
  }

  @Test(arguments: 1...4)
  func `the changes make the old list into the new one`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for world in 0..<500 {
      func list() -> [Row] {
        (1...12).shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator)).map {
          Row(id: LocalID(rawValue: $0), text: Bool.random(using: &generator) ? "a" : "b")
        }
      }
      let (old, new) = (list(), list())
      let found = difference(old, new)
      #expect(found.applied(to: old, taking: new) == new, "seed \(seed), world \(world)")
      #expect(found.updated == found.updated.filter { place in !old.contains(new[place]) })
      #expect(found.isEmpty == (old == new))
    }
  }
}
