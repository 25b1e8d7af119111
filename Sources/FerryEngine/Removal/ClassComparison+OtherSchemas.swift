// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Fetches the records that a program with other fields could not read.
  ///
  /// After a change of the fields, the engine lists the whole class, and imports such records. No listing shows those
  /// outside the class's filter. Their rows have to go, and deletes may wait for them.
  ///
  /// - Parameters:
  ///   - setAside: The class's records in quarantine.
  ///   - difference: The result of the comparison; the records that are gone are added to it.
  /// - Throws: A request fails, or the store cannot be read or written.
  func fetchFromOtherSchemas(
    among setAside: [QuarantinedRecord], _ difference: inout RangeDifference
  ) throws(ClassError) {
    let untried = setAside.filter { $0.mayBeReadable(as: entity) }.map(\.objectID)
    guard !untried.isEmpty else { return }
    let present = try fetch(Set(untried))
    let absent = untried.filter { !present.contains($0) }
    let rows = try context.read { reader throws(StoreError) in
      try reader.versions(of: entity.name, objectIDs: absent)
    }
    for objectID in absent {
      if rows[objectID]?.createdAt == nil {
        difference.missingQuarantined.insert(objectID)
      } else {
        difference.missing.insert(objectID)
      }
    }
  }
}
