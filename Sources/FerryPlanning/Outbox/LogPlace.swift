// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The position of one captured edit in the log, and its record.
package struct LogPlace: Sendable, Equatable {
  package var token: HistoryToken
  package var className: String
  package var localID: LocalID
  /// The object id of a row that went.
  package var goneObjectID: String?

  package init(
    token: HistoryToken, className: String, localID: LocalID, goneObjectID: String? = nil
  ) {
    self.token = token
    self.className = className
    self.localID = localID
    self.goneObjectID = goneObjectID
  }

  package var key: RecordKey { RecordKey(className: className, localID: localID) }
}
