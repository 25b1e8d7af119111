// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A reader or a transaction with a mistake.
protocol Mistaken: ForwardingReader {
  var mistake: Mistake { get }
}

// The reads that a mistake may change.
extension Mistaken {
  func outbox(
    _ selection: OutboxSelection, of className: String?, after key: RecordKey?, limit: Int
  ) throws(StoreError) -> [OutboxEntry] {
    try mistake.changed(reader.outbox(selection, of: className, after: key, limit: limit))
  }
  func outboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) -> [OutboxEntry]
  {
    try mistake.changed(reader.outboxEntries(of: className, localIDs: localIDs))
  }
  func outboxEntries(of className: String, objectIDs: [String]) throws(StoreError) -> [OutboxEntry]
  {
    try mistake.changed(reader.outboxEntries(of: className, objectIDs: objectIDs))
  }
  func outboxEntries(of className: String, clientKeys: [String]) throws(StoreError) -> [OutboxEntry]
  {
    try mistake.changed(reader.outboxEntries(of: className, clientKeys: clientKeys))
  }
}
