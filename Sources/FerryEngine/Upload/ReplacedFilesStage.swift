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
    let free = try unnamed(among: Set(due.keys), in: context)
    guard !free.isEmpty, context.server.usesMasterKey,
      let namedThere = NamedFiles(among: free, in: context).names
    else { return }
    try forget(namedThere, in: context)
    try remove(free.filter { !namedThere.contains($0) }, in: context)
  }

  /// The first of some files that nothing in the store names or needs; those that a row names are forgotten.
  private func unnamed(
    among due: Set<String>, in context: StageContext
  ) throws(SyncError) -> [String] {
    let rest = try context.read { reader throws(StoreError) in
      due.subtracting(try reader.needed(among: due))
    }
    var free: [String] = []
    for names in rest.sorted().chunks(of: Self.mostAtOnce) {
      let named = try context.read { reader throws(StoreError) in try reader.named(among: names) }
      try forget(named, in: context)
      free += names.filter { !named.contains($0) }
      // Further ones wait for the next sync.
      if free.count >= Self.mostAtOnce { break }
    }
    return Array(free.prefix(Self.mostAtOnce))
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
      var own: [SentFiles.Sent] = []
      for page in names.sorted().chunks(of: Self.mostAtOnce) {
        let named = try transaction.named(among: page)
        for name in page where !named.contains(name) {
          if let file = try transaction.state(.ownFile(name)) { own.append(file) }
        }
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
  fileprivate func named(among names: [String]) throws(StoreError) -> Set<String> {
    let values = names.map { Value.file(File(name: $0)) }
    var named = Set<String>()
    for entity in schema.entities {
      for field in entity.fields where field.type == .file {
        let rows = try records(
          of: entity.name, where: .any(values.map { .field(field.name, .equal, $0) }))
        for row in rows { named.formUnion(row.fields.files(in: [field.name])) }
      }
    }
    return named.intersection(names)
  }

  /// Those of some files that unsent changes or conflict records need.
  fileprivate func needed(among names: Set<String>) throws(StoreError) -> Set<String> {
    var needed = Set<String>()
    func note(_ fields: Fields) {
      for name in fields.files(in: nil) where names.contains(name) { needed.insert(name) }
    }
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
    return needed
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
