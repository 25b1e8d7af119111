// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The content of one answer to a query.
package struct ParsePage: Sendable, Equatable {
  /// A row's key in the order of `updatedAt` and `objectId`, letter for letter as on the page.
  package struct Key: Hashable, Sendable {
    package var version: ServerVersion
    package var objectID: String

    package init(version: ServerVersion, objectID: String) {
      self.version = version
      self.objectID = objectID
    }
  }

  /// The records, in the order of the page.
  package var records: [ServerRecord] = []
  /// The rows that cannot be imported.
  package var failures: [RecordFailure] = []
  /// The total number of matching rows, if the query counted them.
  package var count: Int?
  /// The id of the last row that shows one, valid or not; nil if none does.
  package var lastObjectID: String?
  /// The number of rows of the page, valid or not.
  package var rowCount = 0

  package init() {}
}
