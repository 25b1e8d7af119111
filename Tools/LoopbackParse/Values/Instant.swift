// Ferry: offline-first sync for Parse Server. MIT licence.

/// A moment in whole milliseconds since 1970, the resolution of a Parse Server.
struct Instant: Hashable, Comparable, Sendable {
  let milliseconds: Int64
  /// What PostgreSQL keeps of a moment beyond that: written by SQL, compared, and never shown.
  var microseconds: Int64 = 0

  static func < (first: Instant, second: Instant) -> Bool {
    (first.milliseconds, first.microseconds) < (second.milliseconds, second.microseconds)
  }
}

extension Instant {
  /// The moment as the wire writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  var text: String {
    let (days, rest) = Self.divide(milliseconds, 86_400_000)
    let date = Self.civil(fromDays: days)
    var digits: [UInt8] = []
    digits.reserveCapacity(24)
    Self.append(Int64(date.year), width: 4, to: &digits)
    digits.append(UInt8(ascii: "-"))
    Self.append(date.month, width: 2, to: &digits)
    digits.append(UInt8(ascii: "-"))
    Self.append(date.day, width: 2, to: &digits)
    digits.append(UInt8(ascii: "T"))
    Self.append(rest / 3_600_000, width: 2, to: &digits)
    digits.append(UInt8(ascii: ":"))
    Self.append(rest / 60_000 % 60, width: 2, to: &digits)
    digits.append(UInt8(ascii: ":"))
    Self.append(rest / 1000 % 60, width: 2, to: &digits)
    digits.append(UInt8(ascii: "."))
    Self.append(rest % 1000, width: 3, to: &digits)
    digits.append(UInt8(ascii: "Z"))
    return String(decoding: digits, as: UTF8.self)
  }

  /// The moment as a database keeps it: with microseconds, where it has any.
  var storedText: String {
    guard microseconds > 0 else { return text }
    return "\(text.dropLast())\(String(1000 + microseconds).dropFirst())Z"
  }

  /// The moment as HTTP's `Date` header writes it, in whole seconds.
  var httpText: String {
    let (days, rest) = Self.divide(milliseconds, 86_400_000)
    let date = Self.civil(fromDays: days)
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let weekday = weekdays[Int(Self.divide(days, 7).1)]
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(weekday), \(two(date.day)) \(months[Int(date.month) - 1]) \(date.year) "
      + "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60)) GMT"
  }

  /// Reads a date, then perhaps a time, a fraction and an offset, as PostgreSQL does.
  ///
  /// More than milliseconds is cut off.
  init?(_ text: String) {
    guard let stored = Instant.stored(text) else { return nil }
    self.init(milliseconds: stored.milliseconds)
  }

  /// The same, with the microseconds that a database keeps.
  static func stored(_ text: String) -> Instant? {
    var scanner = DigitScanner(text)
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
      scanner.take("-"), let day = scanner.digits(2), (1...12).contains(month), year > 0,
      (1...Self.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    var microseconds: Int64 = 0
    var milliseconds = Self.days(year: year, month: month, day: day) * 86_400_000
    if scanner.take("T") || scanner.take(" ") {
      guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2),
        hour <= 24, minute < 60
      else { return nil }
      milliseconds += hour * 3_600_000 + minute * 60_000
      if scanner.take(":") {
        guard let second = scanner.digits(2), second <= 60 else { return nil }
        milliseconds += second * 1000
      }
      if scanner.take(".") {
        guard let fraction = scanner.fraction() else { return nil }
        milliseconds += fraction / 1000
        microseconds = fraction % 1000
      }
      if !scanner.take("Z") {
        guard let offset = scanner.offset() else { return nil }
        milliseconds -= offset * 60_000
      }
    }
    guard scanner.isAtEnd else { return nil }
    return Instant(milliseconds: milliseconds, microseconds: microseconds)
  }

  private static func append(_ number: Int64, width: Int, to digits: inout [UInt8]) {
    var scale: Int64 = 1
    for _ in 1..<width { scale *= 10 }
    while scale > 0 {
      digits.append(UInt8(ascii: "0") + UInt8(number / scale % 10))
      scale /= 10
    }
  }

  /// Division that rounds down, so that moments before 1970 come out right.
  private static func divide(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }

  /// Days from 1970-01-01, counting years from March so that the leap day comes last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = divide(shifted, 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divide(days + 719_468, 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

/// Walks over the digits and signs of a timestamp.
private struct DigitScanner {
  private let units: [UInt8]
  private var position = 0

  init(_ text: String) { units = Array(text.utf8) }

  var isAtEnd: Bool { position == units.count }

  mutating func take(_ character: Character) -> Bool {
    guard position < units.count, units[position] == character.asciiValue else { return false }
    position += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    guard position + count <= units.count else { return nil }
    var number: Int64 = 0
    for unit in units[position..<position + count] {
      guard unit >= 0x30, unit <= 0x39 else { return nil }
      number = number * 10 + Int64(unit - 0x30)
    }
    position += count
    return number
  }

  /// Any number of digits after the point, rounded to microseconds as the database keeps them.
  mutating func fraction() -> Int64? {
    var digits: [Int64] = []
    while position < units.count, units[position] >= 0x30, units[position] <= 0x39 {
      digits.append(Int64(units[position] - 0x30))
      position += 1
    }
    guard !digits.isEmpty else { return nil }
    digits += [Int64](repeating: 0, count: max(0, 7 - digits.count))
    let microseconds = digits.prefix(6).reduce(0) { $0 * 10 + $1 }
    return microseconds + (digits[6] >= 5 ? 1 : 0)
  }

  /// An offset from UTC in minutes; none at all counts as UTC.
  mutating func offset() -> Int64? {
    let sign: Int64
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return 0 }
    guard let hours = digits(2) else { return nil }
    _ = take(":")
    return sign * (hours * 60 + (digits(2) ?? 0))
  }
}
