// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension Date {
  /// The form that HTTP headers carry: `Sun, 06 Nov 1994 08:49:37 GMT`.
  var headerText: String {
    formatted(
      VerbatimFormatStyle(
        format: """
          \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
          \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
          \(minute: .twoDigits):\(second: .twoDigits) GMT
          """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)))
  }
}
