// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What one answer to a query holds.
package struct ParsePage: Sendable, Equatable {
  /// A row's place in the order of `updatedAt` and `objectId`, letter for letter as on the page.
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
  /// How many rows match the query in all, where that was asked.
  package var count: Int?
  /// The last row's place, sound or not; nil if the page is empty or the row hides it.
  package var lastKey: Key?
  /// How many rows the page has, sound or not.
  package var rowCount = 0

  package init() {}
}
