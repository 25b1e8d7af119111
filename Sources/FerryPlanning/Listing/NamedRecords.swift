// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Asks for records by their ids, in the order of the ids, until all of them came or a page is empty.
///
/// A server may return fewer rows than requested. A record may be gone meanwhile, or outside the filter.
struct NamedRecords: Equatable, Sendable {
  let objectIDs: [String]
  /// The last id that was shown.
  private(set) var last: String?
  private(set) var isComplete = false
  private var shown = 0

  init(_ objectIDs: [String]) { self.objectIDs = objectIDs }

  var query: ListingQuery { ListingQuery(rows: .named(objectIDs, after: last), counts: false) }

  /// Takes a response; false if its rows are not those that were requested, or do not lead on.
  mutating func take(_ response: ListingResponse) -> Bool {
    guard response.rowCount > 0 else {
      isComplete = true
      return true
    }
    shown += response.rowCount
    guard let key = response.last, key.objectID != last, shown <= objectIDs.count else {
      return false
    }
    last = key.objectID
    isComplete = shown == objectIDs.count
    return true
  }
}
