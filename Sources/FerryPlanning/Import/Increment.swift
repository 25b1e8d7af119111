// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Differences between numbers, as the server adds them: a missing value counts as 0.
package enum Increment {
  /// The number that leads from one value to another; nil if the other one is no number, or the difference none.
  static func amount(from base: Value, to value: Value) -> Value? {
    guard !value.isNull else { return nil }
    return sum(value, .integer(0), minus: base)
  }

  /// The sum of two values without what both have of a third one; nil if one of them is no number, or the result none.
  ///
  /// Which of the two comes first does not matter, also where numbers with fractions are rounded.
  package static func sum(_ one: Value, _ other: Value, minus base: Value) -> Value? {
    if case .integer(let one) = one.orZero, case .integer(let other) = other.orZero,
      case .integer(let base) = base.orZero
    {
      let (sum, overflows) = one.addingReportingOverflow(other)
      let (result, overflowsAgain) = sum.subtractingReportingOverflow(base)
      return overflows || overflowsAgain ? nil : .integer(result)
    }
    guard let one = one.orZero.double, let other = other.orZero.double,
      let base = base.orZero.double
    else { return nil }
    let result = one + other - base
    return result.isFinite ? .number(result) : nil
  }
}

extension Value {
  fileprivate var orZero: Value { isNull ? .integer(0) : self }
}
