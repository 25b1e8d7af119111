// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Reads dates of HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Each answer has one. Foundation's formatter takes longer for it than the rest of a quiet answer does.
package enum HTTPDate {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The date in a text, or nil if the text has another form.
  package static func date(from text: String) -> Date? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard text.utf8.count == 29, parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      weekdays.contains(String(parts[0].dropLast())),
      let month = months.firstIndex(of: String(parts[2])),
      let day = number(parts[1], digits: 2), let year = number(parts[3], digits: 4)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
      .map { number($0, digits: 2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2]
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, Int32(month), day)
    (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    let seconds = timegm(&time)
    // A day or an hour that there is not has become another one.
    guard time.tm_mday == day, time.tm_hour == hour, time.tm_min == minute, time.tm_sec == second
    else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  private static func number(_ text: Substring, digits: Int) -> Int32? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int32(text)
  }
}
