// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Where the log keeps one edit of the app's, and which record it is about.
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
