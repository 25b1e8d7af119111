// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Notices which files of this store the app has replaced, and removes from the server those that nothing names any more.
///
/// It concerns fields that say so (`ReplacedFiles.delete`), and files that this store has sent. The server removes files for
/// the master key alone; without it, the files stay known.
struct ReplacedFilesStage: Stage {
  let name: StageName? = nil

  /// How long a replaced file stays: an undo of that time gives a row its name again.
  static let patience = Duration.seconds(7 * 86_400)
  private static let mostAtOnce = 100

  func run(in context: StageContext) throws(SyncError) {
    guard context.schema.entities.contains(where: { !$0.leavingFileFields.isEmpty }) else { return }
    try look(in: context)
    let now = context.environment.now()
    let server = context.server.identity
    let replaced = try context.state(.sentFiles).replaced ?? [:]
    let due = replaced.filter {
      $0.value.file.server == server && $0.value.time.adding(Self.patience) <= now
    }
    guard !due.isEmpty else { return }
    let (named, waiting) = try context.read { reader throws(StoreError) in
      try reader.uses(of: Set(due.keys))
    }
    try forget(named, in: context)
    let free = Set(due.keys).subtracting(named).subtracting(waiting).sorted().prefix(
      Self.mostAtOnce)
    guard !free.isEmpty, context.server.usesMasterKey,
      let namedThere = NamedFiles(among: Array(free), in: context).names
    else { return }
    try forget(namedThere, in: context)
    try remove(free.filter { !namedThere.contains($0) }, in: context)
  }

  /// Looks through what the app has done since the last look.
  private func look(in context: StageContext) throws(SyncError) {
    let now = context.environment.now()
    let server = context.server.identity
    try context.write(.normal) { transaction throws(StoreError) in
      let pruned = try transaction.historyExtent().prunedThrough
      let looked = try transaction.state(.sentFiles).lookedThrough
      let known = looked.map { HistoryToken(rawValue: $0) } ?? pruned
      let last = try transaction.lastToken()
      guard last > known else { return }
      var names = Set<String>()
      let schema = transaction.schema
      try transaction.forEachLogged(after: max(known, pruned), withValues: true) { logged in
        guard logged.change.author == .app, let entity = schema.entity(logged.change.className)
        else { return true }
        names.formUnion(logged.lostFields.files(in: entity.leavingFileFields))
        return true
      }
      // An equal file that was given again has the server's name once more.
      let named = try transaction.named(names)
      var own: [SentFiles.Sent] = []
      for name in names.subtracting(named).sorted() {
        if let file = try transaction.state(.ownFile(name)) { own.append(file) }
      }
      try transaction.change(.sentFiles) { files in
        for var file in own where files.isOf(server, file) {
          file.server = server
          files.replace(file, at: now)
        }
        files.lookedThrough = last.rawValue
      }
    }
  }

  private func forget(_ names: Set<String>, in context: StageContext) throws(SyncError) {
    guard !names.isEmpty else { return }
    try context.change(.sentFiles) { files in for name in names { files.forget(replaced: name) } }
  }

  private func remove(_ names: [String], in context: StageContext) throws(SyncError) {
    let requests = names.map { context.requests.remove(fileNamed: $0) }
    let results = context.transport.sendAll(requests, cancellation: context.cancellation)
    let gone = zip(names, results).filter { ParseResponses().isFileGone($1) }.map(\.0)
    guard !gone.isEmpty else { return }
    let server = context.server.identity
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.change(.sentFiles) { files in
        for name in gone {
          files.forget(replaced: name)
          files.forget(sent: name, on: server)
        }
      }
      for name in gone { try transaction.change(.ownFile(name)) { $0 = nil } }
    }
  }
}

extension SyncReader {
  /// Those of some files that rows name.
  fileprivate func named(_ names: Set<String>) throws(StoreError) -> Set<String> {
    guard !names.isEmpty else { return [] }
    var named = Set<String>()
    for entity in schema.entities {
      for field in entity.fields where field.type == .file {
        let values = names.sorted().map { Value.file(File(name: $0)) }
        let rows = try records(
          of: entity.name, where: .any(values.map { .field(field.name, .equal, $0) }))
        for row in rows { named.formUnion(row.fields.files(in: [field.name])) }
      }
    }
    return named.intersection(names)
  }

  /// Those of some files that rows name, and those that unsent changes or conflict records need.
  fileprivate func uses(
    of names: Set<String>
  ) throws(StoreError) -> (named: Set<String>, waiting: Set<String>) {
    var waiting = Set<String>()
    func note(_ fields: Fields) { waiting.formUnion(fields.files(in: nil)) }
    try forEachPendingEntry(of: nil) { entry in
      for fields in [entry.base, entry.withdrawn, entry.lastKnown] + entry.attempts.map(\.sent) {
        note(fields)
      }
    }
    var last: Int64?
    while let page = try nextConflicts(before: last) {
      for conflict in page {
        note(conflict.lost)
        note(conflict.kept)
      }
      last = page.last?.id
    }
    return (try named(names), waiting.intersection(names))
  }

  /// A page of conflict records; nil behind the last one.
  func nextConflicts(before id: Int64?) throws(StoreError) -> [ConflictRecord]? {
    let page = try conflicts(of: nil, before: id, limit: 500)
    return page.isEmpty ? nil : page
  }
}

extension Entity {
  /// The fields whose replaced files leave the server.
  fileprivate var leavingFileFields: Set<String> {
    Set(fields.filter { $0.type == .file && $0.replacedFiles == .delete }.map(\.name))
  }
}

extension LoggedChange {
  /// The values that the change has destroyed.
  fileprivate var lostFields: Fields {
    switch destroyed {
    case .update(let old)?, .late(let old, _)?, .lateInsert(let old)?: old
    case .delete(let old)?: old.fields
    case .insert?, nil: Fields()
    }
  }
}

extension Fields {
  /// The names of files of the server in some fields; in all for nil.
  fileprivate func files(in names: Set<String>?) -> [String] {
    values.compactMap { name, value in
      guard names?.contains(name) ?? true, case .file(let file) = value, !file.isUnsent else {
        return nil
      }
      return file.name
    }
  }
}
