// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness
import Testing

/// Sums do not depend on the order of the numbers.
@Suite(.timeLimit(.minutes(1)))
struct ExactSumTests {
  private func sum(_ values: [Value], isWhole: Bool = false) -> ExactSum {
    values.reduce(into: ExactSum()) { $0.add($1, isWhole: isWhole) }
  }

  @Test func `a sum is rounded once`() {
    #expect(sum([0.1, 0.2, 0.3]).sum == .number(0.6))
    #expect(sum([1e16, 1, -1e16]).sum == .number(1))
    #expect(sum([1e300, 1, -1e300]).average == .number(1.0 / 3))
    #expect(sum(Array(repeating: 0.1, count: 10)).sum == .number(1))
    #expect(sum([1, .number(.infinity)]).sum == .number(.infinity))
    #expect(sum([.null, "x"]).sum == .null)
  }

  @Test func `whole numbers stay whole as long as 64 bits hold them`() {
    let most = Value.integer(.max)
    guard case .integer(let number) = sum([most, -5, 3], isWhole: true).sum else {
      Issue.record("a fraction")
      return
    }
    #expect(number == .max - 2)
    #expect(sum([most, most], isWhole: true).sum == .number(0x1p64))
    #expect(sum([most, 0.5], isWhole: true).sum == .number(0x1p63))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `numbers in another order have the same sum`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let numbers = (0..<100).map { _ in
      Value.number(
        Double.random(in: -1...1, using: &generator)
          * Double(
            sign: .plus, exponent: Int.random(in: -60...60, using: &generator), significand: 1))
    }
    let expected = sum(numbers).sum
    for _ in 0..<10 { #expect(sum(numbers.shuffled(using: &generator)).sum == expected) }
  }
}
