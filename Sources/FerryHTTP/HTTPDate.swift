// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Reads dates of HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
  private static let form = Date.ParseStrategy(
    format: """
      \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
      \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
      \(second: .twoDigits) GMT
      """,
    locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, isLenient: false)

  /// The date in a text, or nil if the text has another form.
  package static func date(from text: String) -> Date? {
    // The parser accepts a missing end and other time zones; this function does not.
    text.hasSuffix(" GMT") ? try? form.parse(text) : nil
  }
}
