// Ferry: offline-first sync for Parse Server. MIT licence.

extension Timestamp {
  /// Reads a date in any form that SQLite's own functions write, as an instant of UTC.
  ///
  /// `2026-03-01`, `2026-03-01 18:30`, `2026-03-01 18:30:00` and `2026-03-01T18:30:00.250`, the last
  /// three with `Z` or an offset such as `+01:00` behind them. Nil for a bare number: it could count
  /// seconds, milliseconds or days.
  package init?(sql bytes: UnsafeBufferPointer<UInt8>) {
    if let exact = Timestamp(utf8: bytes) {
      self = exact
      return
    }
    var reader = DateTextReader(bytes)
    guard let time = reader.time(), Timestamp.earliest...Timestamp.latest ~= time else {
      return nil
    }
    self = time
  }
}

/// Reads the parts of a date's text from left to right.
private struct DateTextReader {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

  mutating func time() -> Timestamp? {
    guard let day = day() else { return nil }
    var milliseconds = day * 86_400_000
    if !rest.isEmpty {
      guard take("T") || take(" "), let clock = clock(), let offset = offset() else { return nil }
      milliseconds += clock - offset * 60_000
    }
    return rest.isEmpty ? Timestamp(milliseconds: milliseconds) : nil
  }

  private mutating func day() -> Int64? {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2), 1...12 ~= month, day >= 1,
      day <= CivilDay.daysInMonth(month, of: year)
    else { return nil }
    return CivilDay.number(year: year, month: month, day: day)
  }

  /// The time of day in milliseconds; what is finer is cut off.
  private mutating func clock() -> Int64? {
    guard let (hour, minute) = hourAndMinute() else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    guard take(":") else { return milliseconds }
    guard let second = number(digits: 2), second < 60 else { return nil }
    milliseconds += second * 1000
    guard take(".") else { return milliseconds }
    guard let fraction = fraction() else { return nil }
    return milliseconds + fraction
  }

  private mutating func hourAndMinute() -> (hour: Int64, minute: Int64)? {
    guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2),
      minute < 60
    else { return nil }
    return (hour, minute)
  }

  private mutating func fraction() -> Int64? {
    var milliseconds: Int64 = 0
    var worth: Int64 = 100
    var isEmpty = true
    while let digit = number(digits: 1) {
      milliseconds += digit * worth
      worth /= 10
      isEmpty = false
    }
    return isEmpty ? nil : milliseconds
  }

  /// The distance from UTC in minutes; none means UTC.
  private mutating func offset() -> Int64? {
    if rest.isEmpty || take("Z") { return 0 }
    let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let (hour, minute) = hourAndMinute() else { return nil }
    return sign * (hour * 60 + minute)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number(digits: Int) -> Int64? {
    guard rest.count >= digits else { return nil }
    var value: Int64 = 0
    for byte in rest.prefix(digits) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
    }
    rest.removeFirst(digits)
    return value
  }
}
