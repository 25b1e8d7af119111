// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Testing

@Suite struct HiddenRowsTests {
  /// How many queries follow until the listing goes on in another way.
  private func queries(_ count: (Int) -> Int) -> Int {
    var hidden = HiddenRows()
    var queries = 0
    while queries < 1000, case .query = hidden.takeEmpty(count: count(queries), pageSize: 10) {
      queries += 1
    }
    return queries
  }

  @Test func `it ends beside a server whose count falls each time`() {
    #expect(queries { 1_000_000 - $0 } < 70)
  }

  @Test func `it ends beside a server whose count grows each time`() {
    #expect(queries { 1_000_000 + $0 } < 70)
  }

  @Test func `it ends behind the last hidden row`() {
    #expect(queries { _ in 35 } == 4)
  }
}
