// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", 0), ("2026-03-01T18:30:00.250Z", 1_772_389_800_250),
    ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00.001Z", 951_825_600_001),
    ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `text and instant agree`(text: String, milliseconds: Int64) {
    #expect(Timestamp(text)?.milliseconds == milliseconds)
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T18:30:00Z", "2026-03-01T18:30:00.25Z",
    "2026-03-01 18:30:00.250Z", "2026-03-01T18:30:00.250+", "2025-02-29T00:00:00.000Z",
    "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z", "2026-01-00T00:00:00.000Z",
    "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z",
    "2026-01-01T00:00:0a.000Z", "+026-01-01T00:00:00.000Z",
  ])
  func `any other text is refused`(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `every day of many years is Foundation's day`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for year in [1600, 1899, 1900, 1970, 2000, 2023, 2024, 2100, 2400] {
      for month in 1...12 {
        let parts = DateComponents(year: year, month: month, day: 28, hour: 5)
        guard let date = calendar.date(from: parts) else { continue }
        let text = String(format: "%04d-%02d-28T05:00:00.000Z", year, month)
        #expect(Timestamp(date).description == text)
        #expect(Timestamp(text) == Timestamp(date))
      }
    }
  }

  @Test func `dates are cut to the millisecond and kept in range`() {
    #expect(Timestamp(Date(timeIntervalSince1970: 1.0019)).milliseconds == 1001)
    #expect(Timestamp(Date(timeIntervalSince1970: -0.0001)).milliseconds == -1)
    #expect(Timestamp(Date(timeIntervalSince1970: .infinity)) == .latest)
    #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)) == .earliest)
    #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == .earliest)
  }

  @Test func `a date survives the way to Foundation and back`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let range = Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds
      let time = Timestamp(milliseconds: .random(in: range, using: &generator))
      #expect(Timestamp(time.description) == time)
      #expect(Timestamp(time.date) == time)
    }
  }
}
