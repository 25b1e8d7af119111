// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The updates of an import that no trigger captures, on their way to the log.
///
/// The log of a sync's update needs no old values, only which fields changed. So rows with consecutive local ids and
/// the same changed fields become one entry of history.
struct UpdateLog {
  /// How many entries one statement appends.
  private static let entriesPerAppend = 16

  private struct Run {
    var localIDs: ClosedRange<Int64>
    var changed: FieldPositions
    var hasOtherACL: Bool
  }

  private var runs: [Run] = []

  /// Adds an update; one that changed neither a field nor the access list is none to history.
  mutating func add(
    _ localID: LocalID, _ changed: FieldPositions, hasOtherACL: Bool
  ) {
    guard !changed.isEmpty || hasOtherACL else { return }
    let localID = localID.rawValue
    if let open = runs.last, open.localIDs.upperBound + 1 == localID, open.changed == changed,
      open.hasOtherACL == hasOtherACL
    {
      runs[runs.count - 1].localIDs = open.localIDs.lowerBound...localID
    } else {
      runs.append(
        Run(
          localIDs: localID...localID, changed: changed, hasOtherACL: hasOtherACL))
    }
  }

  /// Appends the updates to the log, in the order in which they came.
  func write(of table: TableLayout, in transaction: SQLiteSyncTransaction) throws(StoreError) {
    var rest = runs[...]
    while !rest.isEmpty {
      let count = rest.count >= Self.entriesPerAppend ? Self.entriesPerAppend : 1
      let append = try transaction.statement(table.updateLog(ofEntries: count))
      while rest.count >= count {
        try Self.append(rest.prefix(count), of: table.entity.fields, with: append)
        rest = rest.dropFirst(count)
      }
    }
  }

  private static func append(
    _ runs: ArraySlice<Run>, of fields: [Field], with statement: SQLiteStatement
  ) throws(StoreError) {
    var first: Int32 = 1
    for run in runs {
      try statement.bind(first, run.localIDs.lowerBound)
      if run.localIDs.count > 1 {
        try statement.bind(first + 1, run.localIDs.upperBound)
      } else {
        try statement.bindNull(first + 1)
      }
      if run.hasOtherACL {
        try statement.bind(first + 2, [UInt8]())
      } else {
        try statement.bindNull(first + 2)
      }
      for position in fields.indices { try statement.bindNull(first + 3 + Int32(position)) }
      for position in run.changed {
        let index = first + 3 + Int32(position)
        // As capture writes the old value of a field that had none.
        if fields[position].type == .bytes {
          try statement.bind(index, 0 as Int64)
        } else {
          try statement.bind(index, [UInt8]())
        }
      }
      first += Int32(fields.count) + 3
    }
    try statement.run()
  }
}

extension TableLayout {
  /// Appends updates of the engine to the log: the first and the last row, and a value for the access list and each field.
  fileprivate func updateLog(ofEntries count: Int) -> String {
    let parameters = SQLText.parameters(positions.count + 3)
    let row =
      "(\(classNumber), \(Author.sync.rawValue), \(LogKind.update.rawValue), \(parameters))"
    return "INSERT INTO ferry_log (class, author, kind, localId, lastId, "
      + SQLText.list(["acl"] + positions.map { "v\($0)" }) + ") VALUES "
      + SQLText.list(Array(repeating: row, count: count))
  }
}
