// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The unfolded edits in batches that can be folded one after another, each in little memory.
///
/// Folding reads the result of an edit from the row, which later edits have changed, too. So all edits
/// of a record belong to one batch, under all of its local ids: a record that the app deleted and
/// inserted again, or replaced, has several.
package struct FoldingBatches {
  /// The batches, in the order of the local ids of their records.
  package let batches: [[LogPlace]]
  /// The rows that the edits are about.
  package let keys: Set<RecordKey>
  /// Under which local id each object id went last, by class.
  private let gone: [String: [String: LocalID]]

  /// - Parameters:
  ///   - places: The unfolded edits.
  ///   - size: How many edits a batch has at least, unless it is the last one.
  ///   - owners: The local ids of the rows that have one of some object ids now.
  package init(
    _ places: [LogPlace], size: Int,
    owners: (_ className: String, _ objectIDs: [String]) throws -> [String: LocalID]
  ) rethrows {
    var records = RecordGroups()
    var goneIDs: [String: [String: LocalID]] = [:]
    for (className, gone) in Dictionary(
      grouping: places.filter { $0.goneObjectID != nil }, by: \.className)
    {
      var seen = try owners(className, gone.compactMap(\.goneObjectID))
      for place in gone {
        guard let objectID = place.goneObjectID else { continue }
        if let other = seen.updateValue(place.localID, forKey: objectID) {
          records.join(place.key, RecordKey(className: className, localID: other))
        }
      }
      goneIDs[className] = seen
    }
    let ordered = places.map { (first: records.first(of: $0.key), place: $0) }
      .sorted { ($0.first, $0.place.token) < ($1.first, $1.place.token) }
    var batches: [[LogPlace]] = []
    var last: RecordKey?
    for (first, place) in ordered {
      if first != last, batches.last.map({ $0.count >= size }) ?? true { batches.append([]) }
      batches[batches.count - 1].append(place)
      last = first
    }
    self.batches = batches
    keys = Set(places.map(\.key))
    gone = goneIDs
  }

  /// Whether the edits are about an entry's record under another local id.
  package func isMoved(_ entry: OutboxEntry) -> Bool {
    gone[entry.className]?[entry.objectID].map { $0 != entry.localID } ?? false
  }
}

/// Rows that are one record, by the least of their keys.
private struct RecordGroups {
  private var parents: [RecordKey: RecordKey] = [:]

  func first(of key: RecordKey) -> RecordKey {
    var key = key
    while let parent = parents[key] { key = parent }
    return key
  }

  mutating func join(_ left: RecordKey, _ right: RecordKey) {
    let left = first(of: left)
    let right = first(of: right)
    if left != right { parents[max(left, right)] = min(left, right) }
  }
}
