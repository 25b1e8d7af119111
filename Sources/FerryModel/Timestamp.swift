// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// An instant to the millisecond, as Parse Server stores and sends it.
///
/// Its text is always `YYYY-MM-DDTHH:MM:SS.mmmZ`, in UTC and with three digits of milliseconds. So
/// text order is time order from the year 0000 to 9999. SQLite columns hold the same text.
///
/// ```swift
/// Timestamp("2026-03-01T18:30:00.250Z")?.milliseconds  // 1772389800250
/// ```
public struct Timestamp: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// The instant that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The instant of a Foundation date; fractions of a millisecond are cut off.
  ///
  /// A date outside the years 0000 to 9999 is moved to the nearest end of that range.
  public init(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    // Foundation counts in binary seconds from 2001, so a whole millisecond comes back slightly
    // off. Cutting that off would turn an unchanged date into an edit.
    let inexactness = min(max(seconds.magnitude, 978_307_200), 1e12).ulp * 2
    let value = ((seconds + inexactness) * 1000).rounded(.down)
    let range = Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds
    if value.isNaN || value <= Double(range.lowerBound) {
      milliseconds = range.lowerBound
    } else if value >= Double(range.upperBound) {
      milliseconds = range.upperBound
    } else {
      milliseconds = Int64(value)
    }
  }

  /// The present moment by this device's clock.
  ///
  /// Ferry makes no decision by it.
  public static var now: Timestamp { Timestamp(Date()) }

  /// The instant as a Foundation date.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// 0000-01-01T00:00:00.000Z, the first instant that has a text.
  public static let earliest = Timestamp(milliseconds: -62_167_219_200_000)
  /// 9999-12-31T23:59:59.999Z, the last instant that has a text.
  public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// The instants that every server can store: PostgreSQL has no year 0000.
  package static let storable = Timestamp(milliseconds: -62_135_596_800_000)...Timestamp.latest

  /// Orders by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  package func adding(milliseconds more: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds + more)
  }

  package func adding(_ duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return adding(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}

extension Timestamp: LosslessStringConvertible {
  /// Reads `YYYY-MM-DDTHH:MM:SS.mmmZ`; nil for any other text, and for dates that do not exist.
  public init?(_ text: String) {
    var text = text
    let parsed = text.withUTF8 { Timestamp(utf8: $0) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Reads the same form from bytes, without making a string.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 24, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58,
      bytes[16] == 58, bytes[19] == 46, bytes[23] == 90,
      case let year = Self.digits(bytes, 0) * 100 + Self.digits(bytes, 2),
      case let month = Self.digits(bytes, 5), case let day = Self.digits(bytes, 8),
      case let hour = Self.digits(bytes, 11), case let minute = Self.digits(bytes, 14),
      case let second = Self.digits(bytes, 17),
      case let millisecond = Self.digits(bytes, 20) * 10 + Self.digit(bytes, 22),
      year < 10_000, millisecond < 1000, (1...12).contains(month), day >= 1,
      day <= CivilDay.daysInMonth(month, of: year), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CivilDay.number(year: year, month: month, day: day)
    milliseconds = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + millisecond
  }

  /// The number of two digits; greater than any that a date may have if one is none.
  @inline(__always)
  private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int64 {
    digit(bytes, place) * 10 + digit(bytes, place + 1)
  }

  @inline(__always)
  private static func digit(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int64 {
    let digit = bytes[place] &- 48
    return digit < 10 ? Int64(digit) : 1_000_000
  }

  /// The wire's text, `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  ///
  /// Instants outside the years 0000 to 9999 are shown as the nearest that has a text.
  public var description: String {
    let clamped = min(max(self, .earliest), .latest).milliseconds
    let day = CivilDay(number: Int64((Double(clamped) / 86_400_000).rounded(.down)))
    let rest =
      clamped - CivilDay.number(year: day.year, month: day.month, day: day.day) * 86_400_000
    return String(unsafeUninitializedCapacity: 24) { buffer in
      func write(_ value: Int64, at start: Int, width: Int, then separator: UInt8) {
        var value = value
        for offset in stride(from: width - 1, through: 0, by: -1) {
          buffer[start + offset] = UInt8(48 + value % 10)
          value /= 10
        }
        buffer[start + width] = separator
      }
      write(day.year, at: 0, width: 4, then: 45)
      write(day.month, at: 5, width: 2, then: 45)
      write(day.day, at: 8, width: 2, then: 84)
      write(rest / 3_600_000, at: 11, width: 2, then: 58)
      write(rest / 60_000 % 60, at: 14, width: 2, then: 58)
      write(rest / 1000 % 60, at: 17, width: 2, then: 46)
      write(rest % 1000, at: 20, width: 3, then: 90)
      return 24
    }
  }
}

extension Timestamp: Codable {
  /// Reads the wire's text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(text) is not a date of the form YYYY-MM-DDTHH:MM:SS.mmmZ")
    }
    self = value
  }

  /// Writes the wire's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
