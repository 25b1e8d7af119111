// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncTransaction {
  /// The records that still hold a new file: the app may have edited or deleted a row while the file was sent.
  func holders(
    of file: File, among places: [FileUploadRun.Place]
  ) throws(StoreError) -> [RecordKey] {
    let rows = try rows(places.map(\.key))
    return places.filter { rows[$0.key]?[$0.field] == .file(file) }.map(\.key)
  }

  /// Puts the server's name of a file into fields that still hold the new one.
  ///
  /// - Returns: The changes whose rows a rule of another program keeps as they are, and whether any field held the file.
  func name(
    _ places: [FileUploadRun.Place], _ file: File, as sent: File,
    leavingOut refusals: StoreRefusals<RecordKey>
  ) throws(StoreError) -> (kept: [OutboxEntry], isNamed: Bool) {
    let rows = try rows(places.map(\.key))
    var kept: [OutboxEntry] = []
    var isNamed = false
    for place in places where rows[place.key]?[place.field] == .file(file) {
      let key = place.key
      // Where a rule keeps the row, a later sync tries it again.
      isNamed = true
      let attempt = try refusals.attempt(key, in: self) { () throws(StoreError) in
        try set([place.field: .file(sent)], of: key.className, localID: key.localID)
      }
      guard var entry = try entries([key])[key] else { continue }
      switch attempt {
      case .success:
        entry.fileArrived()
      case .failure(let error):
        entry.rule = try rule(of: error, on: key.className)
        kept.append(entry)
      }
      try put(entry)
    }
    return (kept, isNamed)
  }
}
