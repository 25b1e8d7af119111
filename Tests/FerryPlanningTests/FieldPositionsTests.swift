// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Testing

/// Positions of any number of fields, in ascending order and each once.
@Suite struct FieldPositionsTests {
  @Test(arguments: [[], [0], [63, 0, 5, 0], [64], [200, 64, 63, 65, 64, 1, 200]])
  func `positions come in their order`(_ positions: [Int]) {
    let set = FieldPositions(positions)
    #expect(Array(set) == Set(positions).sorted())
    #expect(set.isEmpty == positions.isEmpty)
    #expect(set == FieldPositions(positions.reversed()))
    #expect(set != FieldPositions(positions + [300]))
  }
}
