// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Reads the form of date that HTTP headers carry: `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
  private static let form = Date.ParseStrategy(
    format: """
      \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
      \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
      \(second: .twoDigits) GMT
      """,
    locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, isLenient: false)

  /// The date that a text stands for, or nil if it is not of the form.
  package static func date(from text: String) -> Date? {
    // The parser lets the end be missing, or be another zone's.
    text.hasSuffix(" GMT") ? try? form.parse(text) : nil
  }
}
