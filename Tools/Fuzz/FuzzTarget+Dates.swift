// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation

extension FuzzTarget {
  /// Each date that is read is written so that it reads as itself.
  static func checkDates(_ bytes: Data) throws(BrokenLaw) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = Timestamp(text) {
      try law(time.description == text, "\(text) is written as \(time).")
    }
    let column = Array(bytes).withUnsafeBufferPointer { Timestamp(sql: $0) }
    if let column { try checkDate(column, text) }
    var number: UInt64 = 0
    for byte in bytes.prefix(8) { number = number << 8 | UInt64(byte) }
    try checkDate(Timestamp(milliseconds: Int64(bitPattern: number)), "\(number)")
    try checkDate(Timestamp(Date(timeIntervalSince1970: Double(bitPattern: number))), "\(number)")
    try checkHeaders(text)
  }

  private static func checkDate(_ time: Timestamp, _ origin: String) throws(BrokenLaw) {
    let range = Timestamp.earliest...Timestamp.latest
    let kept = min(max(time, range.lowerBound), range.upperBound)
    try law(Timestamp(time.description) == kept, "\(origin) is read, and \(time) is not.")
    try law(Timestamp(kept.date) == kept, "\(time) becomes \(Timestamp(kept.date)) as a Date.")
  }

  /// A server asks for no negative and no endless delay.
  private static func checkHeaders(_ text: String) throws(BrokenLaw) {
    for name in ["Retry-After", "X-RateLimit-Reset"] {
      let response = HTTPResponse(status: 429, headers: ["Date": text, name: text])
      guard let delay = response.askedDelay(now: 1_772_389_800) else { continue }
      try law((.zero...Duration.seconds(31_536_000)).contains(delay), "\(name) \(text): \(delay)")
      let time = response.date.map { Timestamp($0) }
      if let time { try checkDate(time, text) }
    }
  }
}
