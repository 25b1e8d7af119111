// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Why an entry has to wait although nothing was refused.
package enum Obstacle: Sendable, Equatable {
  /// The record points to another one, which the server does not have yet.
  case record(Waiting)
  /// The server has a newer version of the record, which has to be imported first.
  case newerVersion
  /// The server did not show the record.
  case notFound
  /// The server's version cannot be imported; the text says why.
  case quarantine(String)
  /// More deletes are due than pass without a confirmation; the text names the set.
  case confirmation(String)
  /// The server failed at the change again and again, so the next attempt comes later.
  case backOff(until: Timestamp)
  /// The server has not taken a new file of the record yet; the words say what happened, and what to do.
  case newFile(String, until: Timestamp?)
  /// A rule of another program keeps the row as it is, and this field names a record by an id that it had once.
  case formerID(field: String)
  /// The record is gone on the server, and a rule of another program keeps its row; the text names the rule.
  case keptRow(String)
}

extension Obstacle {
  /// Whether the record itself has to be fetched before its change can be sent.
  package var needsRecord: Bool {
    switch self {
    case .newerVersion, .notFound: true
    case .record, .quarantine, .confirmation, .backOff, .newFile, .formerID, .keptRow: false
    }
  }
}
