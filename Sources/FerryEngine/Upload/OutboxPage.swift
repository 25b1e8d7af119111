// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// A page of the outbox with its rows, read at one moment, for the upload planner.
///
/// Memory holds a page at a time, however much is unsent.
struct OutboxPage {
  /// How many entries a page has at most.
  static let size = 1000

  let entries: [OutboxEntry]
  let planner: UploadPlanner
  let known: KnownChanges
  /// The changes of members that wait for an owner whose own change is of unknown outcome.
  let waitingForOwners: [RecordKey: OutboxEntry.State]
  /// The pointers of rows that name a record by an id which the server replaced, and its present ids.
  private let former: [Pointer: String]
  /// The changes that were parked for a deleted target whose row is there again.
  private let returning: [OutboxEntry]

  /// Calls the closure with each page; a page shows the outbox as it is when its turn comes.
  ///
  /// A page that is not full is the last one. An app that writes without a pause would otherwise add a row for
  /// each further page, and the pass would never end.
  ///
  /// - Parameters:
  ///   - context: The run.
  ///   - isHeld: Whether an entry must not be sent now.
  ///   - body: Receives one page after another.
  /// - Throws: The error that ends the run: that of the closure, or the store cannot be read or
  ///   written.
  static func forEach(
    in context: StageContext, unless isHeld: (OutboxEntry) -> Bool = { _ in false },
    _ body: (OutboxPage) throws(SyncError) -> Void
  ) throws(SyncError) {
    var last: RecordKey?
    while let page = try next(after: last, in: context, unless: isHeld) {
      last = page.entries.last?.key
      try body(page)
      guard page.entries.count == size else { return }
    }
  }

  /// Folds what was edited meanwhile, and reads the entries of some records again.
  static func read(
    _ keys: [RecordKey], in context: StageContext
  ) throws(SyncError) -> OutboxPage {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      let entries = try transaction.entries(keys)
      return try OutboxPage(keys.compactMap { entries[$0] }, in: context, transaction)
    }
  }

  /// Folds what was edited meanwhile, and reads the entries behind a key; nil behind the last entry.
  private static func next(
    after key: RecordKey?, in context: StageContext, unless isHeld: (OutboxEntry) -> Bool
  ) throws(SyncError) -> OutboxPage? {
    try context.checkCancellation()
    return try context.writeSettingRowsRight(.full) {
      transaction, changesRows throws(StoreError) in
      try transaction.fold(changesRows: changesRows)
      let entries = try transaction.outbox(of: nil, after: key, limit: size)
      guard !entries.isEmpty else { return nil }
      let page = try OutboxPage(entries, in: context, transaction, unless: isHeld)
      let isOutdated = changesRows ? try page.setFormerIDsRight(in: transaction) : false
      guard try page.sendReturningAgain(in: transaction) || isOutdated else { return page }
      let again = try transaction.outbox(of: nil, after: key, limit: size)
      return try OutboxPage(again, in: context, transaction, unless: isHeld)
    }
  }

  /// Replaces ids that records had once in the pointers of the page's rows; returns whether a row changed.
  ///
  /// A rule of another program kept such rows as they are. Once it is gone, their changes can be sent.
  private func setFormerIDsRight(in transaction: any SyncTransaction) throws(StoreError) -> Bool {
    var isChanged = false
    guard !former.isEmpty else { return false }
    let declared = entries.map(\.key).filter { transaction.schema.entity($0.className) != nil }
    for row in try transaction.rows(declared).values {
      let replaced = row.fields.replacedPointers { former[$0] }
      guard !replaced.isEmpty else { continue }
      let isDone = try transaction.attemptUnlessRefused { () throws(StoreError) in
        try transaction.set(replaced, of: row.className, localID: row.localID)
      }
      isChanged = isChanged || isDone
    }
    return isChanged
  }

  /// Makes changes ready that waited for a target which the app has brought back, such as by an undo.
  ///
  /// - Returns: Whether there were any.
  private func sendReturningAgain(in transaction: any SyncTransaction) throws(StoreError) -> Bool {
    for var entry in returning {
      entry.retry()
      try transaction.put(entry)
    }
    return !returning.isEmpty
  }

  /// Reads the rows of entries, and the entries of the records that they point to.
  init(
    _ entries: [OutboxEntry], in context: StageContext, _ reader: any SyncReader,
    unless isHeld: (OutboxEntry) -> Bool = { _ in false }
  ) throws(StoreError) {
    self.entries = entries
    // Entries of a class that the schema leaves out wait for a version of the app that knows it.
    func isKnown(_ entry: OutboxEntry) -> Bool { context.schema.entity(entry.className) != nil }
    let declared = entries.filter(isKnown)
    let rows = try reader.rows(declared.map(\.key))
    func named(by entry: OutboxEntry) -> Set<Pointer> {
      guard let fields = rows[entry.key]?.fields else { return [] }
      let sent = entry.kind == .create ? fields : fields.only(entry.changed)
      var found = Set<Pointer>()
      for value in sent.values.values { value.forEachPointer { found.insert($0) } }
      return found
    }
    let pointers = declared.reduce(into: Set<Pointer>()) { $0.formUnion(named(by: $1)) }
    let targets = try reader.entries(of: pointers)
    former = try reader.former(among: pointers)
    known = KnownChanges(declared, rows, at: try reader.lastToken())
    let dangling = try reader.dangling(pointers, targets)
    let parked = declared.filter { $0.isParentGone && rows[$0.key] != nil }
    // The server has answered for records that the store does not have: only a look at the store is news.
    let members = parked.filter { reader.schema.entity($0.className)?.membership != nil }
    let missing = try dangling.union(
      reader.absent(among: members.reduce(into: []) { $0.formUnion(named(by: $1)) }))
    returning = parked.filter { missing.isDisjoint(with: named(by: $0)) }
    let scope = try UploadScope(reader)
    let owners = try reader.waitingForOwners(among: declared, rows)
    waitingForOwners = owners.mapValues { .blocked(by: .record($0)) }
    let held = Set(owners.keys)
      .union((entries + targets).filter { isHeld($0) || !scope.maySend($0) }.map(\.key))
    planner = UploadPlanner(
      entries: declared, targets: targets, records: rows, held: held,
      dangling: dangling, former: Set(former.keys),
      unreadable: try reader.unreadable(declared + targets.filter(isKnown)),
      kept: try reader.kept(declared),
      files: NewFiles(context.schema).files(of: declared, rows),
      at: context.environment.now())
  }
}

/// The classes of which changes may be sent.
private struct UploadScope {
  /// The states of the registered classes, by name.
  private var states: [String: ClassState] = [:]

  init(_ reader: any SyncReader) throws(StoreError) {
    for entity in reader.schema.entities {
      states[entity.name] = try reader.state(.classState(entity.name))
    }
  }

  /// New rows need no import first, so they may be sent even if permissions allow only adding to the
  /// class.
  func maySend(_ entry: OutboxEntry) -> Bool {
    guard let state = states[entry.className], state.importing == nil else { return false }
    guard let failure = state.failure else { return true }
    return failure.isForbidden && entry.kind == .create && entry.attempts.isEmpty
  }
}

extension SyncReader {
  /// The unsent changes of the records that pointers name.
  fileprivate func entries(of pointers: Set<Pointer>) throws(StoreError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for (className, pointers) in Dictionary(grouping: pointers, by: \.className) {
      let ids = pointers.map(\.objectID).sorted()
      let folded = try outboxEntries(of: className, objectIDs: ids)
      entries += folded
      entries += try unfoldedCreates(of: className, among: ids, besides: folded)
    }
    return entries
  }

  /// The rules that keep rows of entries whose records are gone on the server.
  fileprivate func kept(_ entries: [OutboxEntry]) throws(StoreError) -> [RecordKey: String] {
    var kept: [RecordKey: String] = [:]
    for (className, entries) in Dictionary(grouping: entries, by: \.className) {
      let rules = try state(.keptRows(className))
      guard !rules.isEmpty else { continue }
      for entry in entries where entry.kind != .create { kept[entry.key] = rules[entry.objectID] }
    }
    return kept
  }

  /// Rows to create of a class that the schema leaves out: nobody folds them meanwhile.
  ///
  /// A pointer to such a row waits, because the server may give its record another id.
  private func unfoldedCreates(
    of className: String, among ids: [String], besides folded: [OutboxEntry]
  ) throws(StoreError) -> [OutboxEntry] {
    guard schema.entity(className) == nil else { return [] }
    let known = Set(folded.map(\.objectID))
    let foldedThrough = try foldedThrough()
    return try unsentRows(ofUnregistered: className, among: ids.filter { !known.contains($0) })
      .map { objectID, localID in
        OutboxEntry(
          className: className, localID: localID, objectID: objectID, kind: .create,
          foldedThrough: foldedThrough)
      }
  }

  /// The pointers that name a record by an id which the server replaced, and its present ids.
  fileprivate func former(among pointers: Set<Pointer>) throws(StoreError) -> [Pointer: String] {
    let minted = pointers.filter { MintedID.matches($0.objectID) }
    guard !minted.isEmpty else { return [:] }
    let present = try aliases(of: Set(minted.map(\.objectID)).sorted())
    guard !present.isEmpty else { return [:] }
    return minted.reduce(into: [:]) { $0[$1] = present[$1.objectID] }
  }

  /// Pointers to rows that the app took back before the server had them.
  ///
  /// Any other pointer is sent, also one to a record that is not kept here: it may be outside of a
  /// filter, hidden, not pulled yet, or of a class that is not registered.
  fileprivate func dangling(
    _ pointers: Set<Pointer>, _ targets: [OutboxEntry]
  ) throws(StoreError) -> Set<Pointer> {
    let suspects = pointers.subtracting(
      targets.map { Pointer(className: $0.className, objectID: $0.objectID) })
    var dangling = Set<Pointer>()
    for (className, pointers) in Dictionary(grouping: suspects, by: \.className) {
      let ids = try withdrawnIDs(of: className, among: pointers.map(\.objectID))
      guard !ids.isEmpty else { continue }
      dangling.formUnion(try neverSent(ids, of: className))
    }
    return dangling
  }

  /// Those of some withdrawn ids that no record has got since.
  private func neverSent(_ ids: Set<String>, of className: String) throws(StoreError) -> [Pointer] {
    guard schema.entity(className) != nil else { return [] }
    let present = try versions(of: className, objectIDs: ids.sorted())
    let former = try formerIDs(of: className, among: ids.sorted())
    return ids.filter { present[$0] == nil && !former.contains($0) }
      .map { Pointer(className: className, objectID: $0) }
  }
}

extension OutboxEntry {
  /// Whether it waits because its target was deleted before the server had it.
  fileprivate var isParentGone: Bool {
    if case .parked(let refusal) = state { refusal.reason == .parentGone } else { false }
  }
}
