// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Dates on the wire, always to the millisecond:
/// `{"__type":"Date","iso":"2026-03-01T18:30:00.250Z"}`.
///
/// A record's own `createdAt` and `updatedAt` are the bare text instead.
package enum ParseDate {
  package static func read(_ element: JSONElement) -> Timestamp? {
    guard element.isTyped("Date"), let text = element["iso"]?.utf8 else { return nil }
    return Timestamp(utf8: text)
  }

  package static func readText(_ element: JSONElement) -> Timestamp? {
    element.utf8.flatMap { Timestamp(utf8: $0) }
  }
}
