// Ferry: offline-first sync for Parse Server. MIT licence.

/// A sum that is rounded once, at the end: the order of the numbers makes no difference, unless a part of it overflows.
///
/// Two stores have their rows in different orders, and must give the same sum.
package struct ExactSum: Sendable {
  /// The sum of whole numbers, which no number of rows overflows.
  private var whole: Int128 = 0
  /// Numbers whose bits do not overlap, the least first; their sum is exact (Shewchuk).
  private var partials: [Double] = []
  /// The sum of what is infinite, or became so.
  private var infinite = 0.0
  package private(set) var count = 0
  private var isWhole = true

  package init() {}

  /// Adds a number of a field with whole numbers alone, or with fractions.
  package mutating func add(_ value: Value, isWhole isWholeField: Bool) {
    if isWholeField, case .integer(let number) = value {
      whole += Int128(number)
    } else if let number = value.double {
      isWhole = false
      add(number)
    } else {
      return
    }
    count += 1
  }

  private mutating func add(_ number: Double) {
    guard number.isFinite else {
      infinite += number
      return
    }
    var number = number
    var kept = 0
    for partial in partials {
      let (large, small) =
        number.magnitude < partial.magnitude ? (partial, number) : (number, partial)
      let high = large + small
      guard high.isFinite else {
        infinite += high
        return
      }
      let low = small - (high - large)
      if low != 0 {
        partials[kept] = low
        kept += 1
      }
      number = high
    }
    partials.removeSubrange(kept...)
    partials.append(number)
  }

  /// The sum; null if nothing was added.
  package var sum: Value {
    guard count > 0 else { return .null }
    if isWhole, let integer = Int64(exactly: whole) { return .integer(integer) }
    return .number(total)
  }

  /// The sum divided by the count; null if nothing was added.
  package var average: Value { count == 0 ? .null : .number(total / Double(count)) }

  private var total: Double {
    var all = self
    let near = Double(whole)
    all.add(near)
    all.add(Double(whole - Int128(near)))
    return all.infinite == 0 ? all.rounded : all.infinite
  }

  /// The exact sum of the partials, rounded to the nearest number, and a tie to the even one.
  private var rounded: Double {
    var rest = partials
    guard var high = rest.popLast() else { return 0 }
    var low = 0.0
    while let next = rest.popLast() {
      let before = high
      high = before + next
      low = next - (high - before)
      if low != 0 { break }
    }
    // Half of a last place may be more than a half with what lies below.
    if let below = rest.last, low < 0 && below < 0 || low > 0 && below > 0 {
      let twice = low * 2
      let other = high + twice
      if other - high == twice { return other }
    }
    return high
  }
}
