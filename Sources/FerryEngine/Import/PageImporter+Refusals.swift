// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

// Another program may add a CHECK or a trigger that refuses a row. The record then goes into quarantine, and
// everything else goes on. Most imports meet no such rule, so they only look for one after a refusal.
extension PageImporter {
  /// Imports records that were already read, and sets those aside that the store refuses.
  func importRecords(
    _ records: [ServerRecord], _ failures: [RecordFailure], into transaction: any SyncTransaction,
    _ outcome: inout ImportOutcome
  ) throws(StoreError) {
    let rows = try importInParts(records, failures, into: transaction, &outcome)
    try renewEach(of: rows, in: transaction, &outcome)
  }

  /// Imports a page of which the store refuses at least one record, without the ones that it refuses.
  mutating func importAllowed(
    of page: BatchPage, into transaction: any SyncTransaction, _ outcome: inout ImportOutcome
  ) throws(StoreError) {
    if !refusals.goesOneByOne {
      let before = outcome
      let attempt = try refusals.attempt(nil, in: transaction) { () throws(StoreError) in
        try importPage(page, into: transaction, &outcome)
      }
      guard case .failure = attempt else { return }
      outcome = before
    }
    outcome.records += page.rowCount
    let records = page.records + (try self.records(ofRows: Array(0..<page.batch.rowCount)))
    try importRecords(records, page.failures, into: transaction, &outcome)
  }

  /// Imports records together if the store takes all of them, else halves of them.
  private func importInParts(
    _ records: [ServerRecord], _ failures: [RecordFailure], into transaction: any SyncTransaction,
    _ outcome: inout ImportOutcome
  ) throws(StoreError) -> [ImportRow] {
    let count = records.count + failures.count
    guard count > 0 else { return [] }
    guard count > 1 else { return try importOne(records, failures, into: transaction, &outcome) }
    if !refusals.goesOneByOne {
      let before = outcome
      let attempt = try refusals.attempt(nil, in: transaction) { () throws(StoreError) in
        try write(records, failures, into: transaction, &outcome)
      }
      if case .success(let rows) = attempt { return rows }
      outcome = before
    }
    let (first, second) = (records.prefix(records.count / 2), records.dropFirst(records.count / 2))
    let middle = records.count > 1 ? 0 : failures.count / 2
    let rows = try importInParts(
      Array(first), Array(failures.prefix(middle)), into: transaction, &outcome)
    return try rows
      + importInParts(
        Array(second), Array(failures.dropFirst(middle)), into: transaction, &outcome)
  }

  private func importOne(
    _ records: [ServerRecord], _ failures: [RecordFailure], into transaction: any SyncTransaction,
    _ outcome: inout ImportOutcome
  ) throws(StoreError) -> [ImportRow] {
    let objectID = records.first?.objectID ?? failures.first?.objectID
    let before = outcome
    let refusal: StoreError
    let attempt = try refusals.attempt(objectID, in: transaction) { () throws(StoreError) in
      try write(records, failures, into: transaction, &outcome)
    }
    switch attempt {
    case .success(let rows): return rows
    case .failure(let error): refusal = error
    }
    outcome = before
    let rule = try transaction.rule(of: refusal, on: className)
    let refused =
      records.map { RecordFailure($0, of: planner.entity, clientKeyField, refusedBy: rule) }
      + failures.map { $0.refused(by: rule) }
    return try write([], refused, into: transaction, &outcome)
  }

  /// Renews the pointers of rows; a row that its table keeps as it is goes into quarantine with its record.
  private func renewEach(
    of rows: [ImportRow], in transaction: any SyncTransaction, _ outcome: inout ImportOutcome
  ) throws(StoreError) {
    let together = try refusals.attempt(nil, in: transaction) { () throws(StoreError) in
      try renewPointers(of: rows, in: transaction)
    }
    guard case .failure = together else { return }
    for row in rows {
      let attempt = try refusals.attempt(row.objectID, in: transaction) { () throws(StoreError) in
        try renewPointers(of: [row], in: transaction)
      }
      guard case .failure(let error) = attempt else { continue }
      let failure = RecordFailure(
        row.record, of: planner.entity, clientKeyField,
        refusedBy: try transaction.rule(of: error, on: className))
      _ = try write([], [failure], into: transaction, &outcome)
    }
  }
}

extension PageImporter {
  /// Whether the store would take a record that it refused before; leaves nothing behind.
  ///
  /// The caller takes the transaction back.
  func takes(
    _ record: QuarantinedRecord, in transaction: any SyncTransaction
  ) throws(StoreError) -> Bool {
    var reader = PageReader(planner.entity, clientKeyField: clientKeyField)
    let page = try? reader.read(Data("{\"results\":[\(record.raw)]}".utf8))
    // The server is asked for a record that cannot be read here.
    guard let page, page.failures.isEmpty, page.records.count == 1 else { return true }
    var outcome = ImportOutcome()
    do {
      let rows = try write(page.records, [], into: transaction, &outcome)
      try renewPointers(of: rows, in: transaction)
      return true
    } catch {
      guard error.refusal != nil else { throw error }
      return false
    }
  }
}

extension RecordFailure {
  /// A record that can be read, and that the store refuses.
  fileprivate init(
    _ record: ServerRecord, of entity: Entity, _ clientKeyField: String,
    refusedBy rule: String
  ) {
    var members = record.fields(of: entity).values
    members["objectId"] = .string(record.objectID)
    members["createdAt"] = .string(record.createdAt.description)
    members["updatedAt"] = .string(record.version.rawValue)
    if !record.acl.isNull { members["ACL"] = record.acl }
    if let key = record.clientKey { members[clientKeyField] = .string(key) }
    self.init(
      objectID: record.objectID, version: record.version, createdAt: record.createdAt,
      json: Data(WireJSON.text(.object(members)).utf8), reason: "Refused by \(rule).")
    isRefusedByStore = true
  }

  fileprivate func refused(by rule: String) -> RecordFailure {
    var failure = self
    failure.markedAsDeleted = nil
    failure.reason += " Refused by \(rule)."
    failure.isRefusedByStore = true
    return failure
  }
}

extension ImportRow {
  /// The record that the row is of.
  fileprivate var record: ServerRecord {
    ServerRecord(
      objectID: objectID, createdAt: createdAt,
      version: version ?? ServerVersion(rawValue: createdAt.description), acl: acl, values: values)
  }
}
