// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// Brings pages of another library's objects into the store, and counts what it does.
struct ObjectImport {
  let context: StageContext
  private(set) var report = ObjectImportReport()
  /// Whether an object of the pages so far has unsent edits, or was deleted.
  private(set) var hasEdits = false
  private let references: ObjectReferences
  private let json = LocalObjectReader()

  init(
    _ context: StageContext, _ source: any ObjectReader,
    going report: ObjectImportReport = ObjectImportReport()
  ) {
    self.context = context
    self.report = report
    references = ObjectReferences(context: context, source: source)
  }

  /// Makes rows of records, and of new objects with their edits.
  mutating func importRows(_ page: [KeptObject]) throws(SyncError) {
    let objects = try read(page, counts: true)
    for (entity, objects) in objects {
      hasEdits = hasEdits || objects.contains { !$0.content.edits.isEmpty || $0.content.isDeleted }
      let records = objects.filter { $0.content.objectID != nil }
      try importRecords(records, of: entity)
      let new = objects.filter { $0.content.objectID == nil }
      var rows = ImportedRows(entity: entity, report: report)
      try context.capture { transaction throws(StoreError) in
        rows = ImportedRows(entity: entity, report: report)
        for object in new { try rows.insert(object, into: transaction) }
      }
      report = rows.report
      try doubtNumbers(of: rows.inserted, in: entity)
    }
  }

  /// Another device may have made the records of these objects: then their numbers are nothing to add.
  private func doubtNumbers(of rows: [LocalID], in entity: Entity) throws(SyncError) {
    guard !entity.counters.isEmpty, !rows.isEmpty else { return }
    let now = context.environment.now()
    try context.write(.normal) { transaction throws(StoreError) in
      try transaction.fold()
      let token = try transaction.lastToken()
      let keys = rows.map { RecordKey(className: entity.name, localID: $0) }
      for var entry in try transaction.entries(keys).values {
        let row = try transaction.record(of: entity.name, localID: entry.localID)
        if entry.doubtIncrements(of: entity.counters, in: row, token: token, at: now) {
          try transaction.put(entry)
        }
      }
    }
  }

  /// Carries unsent edits out on rows that are there, and deletes rows.
  mutating func importEdits(_ page: [KeptObject]) throws(SyncError) {
    for (entity, objects) in try read(page, counts: false) {
      let edited = objects.filter { !$0.content.edits.isEmpty || $0.content.isDeleted }
      guard !edited.isEmpty else { continue }
      // The question which rows have unsent edits is quick then.
      try context.write(.normal) { transaction throws(StoreError) in try transaction.fold() }
      var rows = ImportedRows(entity: entity, report: report)
      try context.capture { transaction throws(StoreError) in
        rows = ImportedRows(entity: entity, report: report)
        try rows.edit(edited, in: transaction)
      }
      report = rows.report
    }
  }

  // MARK: - Reading

  /// The objects of a page that can be read, by class in the order of the schema.
  private mutating func read(
    _ page: [KeptObject], counts: Bool
  ) throws(SyncError) -> [(Entity, [ImportedObject])] {
    var objects: [String: [ImportedObject]] = [:]
    for kept in page where kept.className != "_Pin" {
      guard let object = try read(kept, counts: counts) else { continue }
      objects[kept.className, default: []].append(object)
    }
    return context.schema.entities.compactMap { entity in
      objects[entity.name].map { (entity, $0) }
    }
  }

  private mutating func read(
    _ kept: KeptObject, counts: Bool
  ) throws(SyncError) -> ImportedObject? {
    let name = kept.objectID ?? kept.uuid ?? "an object without a key"
    let isNote = kept.className == "_EventuallyPin"
    let entity = context.schema.entity(kept.className)
    guard isNote || entity.map({ $0.membership == nil }) ?? false else {
      if counts { leaveOut(kept.className, .unknownClass, name) }
      return nil
    }
    let content: LocalObject
    switch try references.read(kept, by: json) {
    case .success(let read): content = read
    case .failure(let failure):
      if counts {
        let reason = kept.json == nil ? ObjectLeftOut.Reason.incomplete : .unreadable
        leaveOut(kept.className, reason, name, failure.reason)
      }
      return nil
    }
    guard !isNote else {
      // A save and a delete are shown by their object, too.
      if counts, content.pinnedCommand == 3 { leaveOut(kept.className, .command, name) }
      return nil
    }
    return ImportedObject(key: kept.uuid, content: content)
  }

  // MARK: - Records

  private mutating func importRecords(
    _ objects: [ImportedObject], of entity: Entity
  ) throws(SyncError) {
    guard !objects.isEmpty else { return }
    for object in objects { noteUnknownFields(of: object, in: entity) }
    let ids = objects.compactMap(\.content.objectID)
    let (present, gone) = try context.read { reader throws(StoreError) in
      let present = try reader.versions(of: entity.name, objectIDs: ids).keys
      let gone = try reader.formerIDs(of: entity.name, among: ids)
      let pending = try reader.outboxEntries(of: entity.name, objectIDs: ids).map(\.objectID)
      return (Set(present), gone.union(pending))
    }
    var wanted: [ImportedObject] = []
    for object in objects {
      guard let id = object.content.objectID else { continue }
      if present.contains(id) || gone.contains(id) && object.content.isDeleted {
        report.count(\.present, of: entity.name)
      } else if gone.contains(id) {
        leaveOut(entity.name, .removedHere, id)
      } else if !object.content.isComplete {
        leaveOut(entity.name, .incomplete, id)
      } else {
        wanted.append(object)
      }
    }
    if !wanted.isEmpty { try importRecords(wanted.map(\.content.record), entity) }
  }

  private mutating func importRecords(_ texts: [Data], _ entity: Entity) throws(SyncError) {
    var reader = PageReader(entity, clientKeyField: context.options.clientKeyField)
    let page: ParsePage
    do {
      page = try reader.read(
        Data("{\"results\":[".utf8) + Data(texts.joined(separator: Data(",".utf8)))
          + Data("]}".utf8))
    } catch {
      guard texts.count > 1 else {
        return leaveOut(entity.name, .unreadable, "a record", error.message)
      }
      for text in texts { try importRecords([text], entity) }
      return
    }
    for failure in page.failures {
      leaveOut(
        entity.name, .wrongType, failure.objectID ?? "a record without an id", failure.reason)
    }
    guard !page.records.isEmpty else { return }
    let ids = page.records.map(\.objectID)
    do throws(ClassError) {
      try RecordImport(context: ClassContext(entity, in: context)).take(page.records, [])
    } catch {
      let failure = try error.failure()
      for id in ids { leaveOut(entity.name, .refused, id, failure.description) }
      return
    }
    let rows = try context.read { reader throws(StoreError) in
      try reader.versions(of: entity.name, objectIDs: ids)
    }
    report.count(\.records, of: entity.name, rows.count)
    for id in ids where rows[id] == nil { leaveOut(entity.name, .refused, id) }
  }

  private mutating func noteUnknownFields(of object: ImportedObject, in entity: Entity) {
    // A serializer has names of its own.
    guard entity.serializer == nil, let id = object.content.objectID else { return }
    for name in object.content.names.sorted()
    where entity.field(name) == nil && name != context.options.clientKeyField {
      report.leaveOut(
        ObjectLeftOut(className: entity.name, field: name, reason: .unknownField, example: id))
    }
  }

  private mutating func leaveOut(
    _ className: String, _ reason: ObjectLeftOut.Reason, _ example: String, _ detail: String? = nil
  ) {
    report.leaveOut(
      ObjectLeftOut(className: className, reason: reason, example: example, detail: detail))
  }
}

extension StageContext {
  /// Writes in one transaction of the app.
  func capture<Result>(
    _ body: (any CapturedTransaction) throws(StoreError) -> Result
  ) throws(SyncError) -> Result {
    do {
      return try store.capture(body)
    } catch {
      throw SyncError(error)
    }
  }
}
