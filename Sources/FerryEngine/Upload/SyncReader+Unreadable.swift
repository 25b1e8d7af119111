// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

extension SyncReader {
  /// The server's versions that could not be imported, of records with unsent changes.
  func unreadable(
    _ entries: [OutboxEntry]
  ) throws(StoreError) -> [RecordKey: UnreadableRemote] {
    var unreadable: [RecordKey: UnreadableRemote] = [:]
    for (className, entries) in Dictionary(grouping: entries, by: \.className) {
      let entity = try schema.registered(className)
      let records = try quarantined(className, objectIDs: entries.map(\.objectID))
      let byID = Dictionary(records.map { ($0.objectID, $0) }, uniquingKeysWith: { $1 })
      for entry in entries {
        guard let record = byID[entry.objectID] else { continue }
        unreadable[entry.key] = UnreadableRemote(record, of: entity)
      }
    }
    return unreadable
  }
}

extension UnreadableRemote {
  /// Reads what can be read of a record that was set aside.
  init(_ record: QuarantinedRecord, of entity: Entity) {
    self.init(fields: nil, version: record.version, reason: record.reason)
    // Only the class's own serializer knows which of its fields a name on the wire is.
    guard entity.serializer == nil, case .object(var members)? = try? Value(json: record.raw)
    else { return }
    members[Fields.accessList] = (members["ACL"] ?? .null).servedAccessList
    fields = members
  }
}
