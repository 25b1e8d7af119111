// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Parks additions to relations that name a record which neither the store nor the server has.
///
/// The server would store such a pair and never show it, so the row would leave again without a reason. A record that is
/// not in the store may be one outside of a filter, or of a class that is not kept here: so the server is asked.
struct UnknownRecords {
  let context: StageContext

  /// A field of an addition's row, and the record that it names.
  private struct Named {
    let row: RecordKey
    let field: String
    let record: Pointer
  }

  /// Parks them.
  ///
  /// - Parameter writes: Additions that could be sent.
  /// - Returns: The others. So are all where the server does not answer the question.
  /// - Throws: The error that ends the run.
  func park(among writes: [UploadPlanner.Write]) throws(SyncError) -> [UploadPlanner.Write] {
    let named = try context.read { reader throws(StoreError) in
      try absentRecords(of: writes.map(\.key), in: reader)
    }
    guard !named.isEmpty else { return writes }
    var stuck: [RecordKey: OutboxEntry.State] = [:]
    for (className, named) in Dictionary(grouping: named, by: \.record.className) {
      guard let shown = try shown(Set(named.map(\.record.objectID)), of: className) else {
        continue
      }
      for name in named where !shown.contains(name.record.objectID) {
        stuck[name.row] = .parked(.unknownRecord(name.record, in: name.field, of: name.row))
      }
    }
    try Blocking(context: context, stage: .putUpdated).record(stuck)
    return writes.filter { stuck[$0.key] == nil }
  }

  /// The records that the store does not have, of additions that no request has tried.
  private func absentRecords(
    of keys: [RecordKey], in reader: any SyncReader
  ) throws(StoreError) -> [Named] {
    let untried = try reader.entries(keys).filter(\.value.attempts.isEmpty).keys
    var named: [Named] = []
    for row in try reader.rows(Array(untried)).values {
      guard let membership = reader.schema.entity(row.className)?.membership,
        let pair = MemberPair(row.fields), pair.isNameable(in: membership)
      else { continue }
      let key = RecordKey(className: row.className, localID: row.localID)
      named += [
        Named(row: key, field: Membership.owner, record: membership.owner(of: pair)),
        Named(row: key, field: Membership.member, record: membership.member(of: pair)),
      ]
    }
    let absent = try reader.absent(among: Set(named.map(\.record)))
    return named.filter { absent.contains($0.record) }.sorted { $0.row < $1.row }
  }

  /// Those of some records that the server shows; nil if it does not say.
  private func shown(_ ids: Set<String>, of className: String) throws(SyncError) -> Set<String>? {
    do {
      return try RecordLookup.shown(ids.sorted(), of: className, in: context)
    } catch {
      _ = try error.failure()
      return nil
    }
  }
}

extension SyncReader {
  /// Those of some records that the store does not have.
  func absent(among records: Set<Pointer>) throws(StoreError) -> Set<Pointer> {
    var absent = records
    for (className, records) in Dictionary(grouping: records, by: \.className) {
      for id in try versions(of: className, objectIDs: records.map(\.objectID)).keys {
        absent.remove(Pointer(className: className, objectID: id))
      }
    }
    return absent
  }
}

extension Refusal {
  fileprivate static func unknownRecord(
    _ record: Pointer, in field: String, of row: RecordKey
  ) -> Refusal {
    Refusal(
      reason: .parentGone,
      message:
        "Row \(row.localID) of \(row.className) was not sent: its field \(field) names \(record.shownID), and the server shows "
        + "this user no such record of \(record.className). The row is kept here, and the rows beside it go on. It is sent once "
        + "the store has that record, or by a retry; otherwise delete it.")
  }
}

extension Pointer {
  /// The id in a message, without the rest of a long one.
  fileprivate var shownID: String {
    objectID.count > 60 ? "\(objectID.prefix(60).debugDescription)…" : objectID.debugDescription
  }
}
