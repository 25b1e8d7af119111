// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestSizeTests {
  @Test(arguments: [
    (50, [25, 12, 6, 3, 1, 1]), (2, [1, 1]), (1, [1]), (0, [1]),
  ])
  func `a request that was too large is halved until one part is left`(
    greatest: Int, sizes: [Int]
  ) {
    var size = RequestSize(greatest)
    for expected in sizes {
      let before = size.current
      let isHalved = size.halve()
      #expect(isHalved == (before > 1))
      #expect(size.current == expected)
    }
    let isHalved = size.halve()
    #expect(!isHalved)
  }

  @Test func `requests grow again up to the greatest size, but never from one`() {
    var size = RequestSize(4)
    size.halve()
    for _ in 0..<5 { size.grow() }
    #expect(size.current == 4)
    size.halve()
    size.halve()
    size.grow()
    #expect(size.current == 1)
  }

  @Test(arguments: [([1, 2, 3], [[1], [2, 3]]), ([1, 2], [[1], [2]])])
  func `the halves of a list have all of it`(list: [Int], halves: [[Int]]) {
    #expect(RequestSize.halves(of: list) == halves)
    #expect(RequestSize.halves(of: [1]) == nil)
  }
}
