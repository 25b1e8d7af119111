// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Tidies up behind uploads: on the server, files that no row ever named; on the device, contents that were sent.
///
/// Only the master key may remove a file of the server. Without it, the store goes on knowing them.
struct SentFilesStage: Stage {
  let name: StageName? = nil

  /// How long a content stays after it was kept, so that the app can write its value into another row.
  static let grace = Duration.seconds(3600)

  /// How long a lost request stays known, so that a person may look into the server's storage.
  static let memory = Duration.seconds(30 * 86_400)

  func run(in context: StageContext) throws(SyncError) {
    let forgotten = context.environment.now().adding(.zero - Self.memory)
    var files = try context.state(.sentFiles)
    guard files != SentFiles() else { return }
    if files.open.values.contains(where: { $0.begun != nil }) {
      try context.change(.sentFiles) { $0.endAll() }
      files.endAll()
    }
    if files.open.values.contains(where: { $0.lastLost.map { $0 < forgotten } ?? false }) {
      try context.change(.sentFiles) { $0.forgetLost(before: forgotten) }
    }
    try removeUnnamed(files, in: context)
    try removeSentContents(files, in: context)
  }

  private func removeUnnamed(_ files: SentFiles, in context: StageContext) throws(SyncError) {
    let server = context.server.identity
    let names = files.unnamed.filter { $0.server == server }.map(\.name)
    guard !names.isEmpty, context.server.usesMasterKey else { return }
    let requests = names.map { context.requests.remove(fileNamed: $0) }
    let results = context.transport.sendAll(requests, cancellation: context.cancellation)
    let gone = zip(names, results).filter { ParseResponses().isFileGone($1) }.map(\.0)
    try context.change(.sentFiles) { files in
      for name in gone { files.forget(unnamed: name, on: server) }
    }
  }

  /// Removes contents of which the server has the file, unless a change still sends an equal one, or may after a conflict
  /// record is restored: the server's file may have left by then.
  private func removeSentContents(_ files: SentFiles, in context: StageContext) throws(SyncError) {
    let server = context.server.identity
    let limit = context.environment.now().adding(.zero - Self.grace)
    let kept = context.files.contents(limit)
    let sent = Set(
      files.sent.filter { $0.server == server }.compactMap { File(name: $0.unsent).unsent?.sha256 })
    let candidates = kept.intersection(sent)
    guard !candidates.isEmpty else { return }
    let needed = try context.read { reader throws(StoreError) in
      let newFiles = NewFiles(reader.schema)
      var needed = try reader.contentsInConflicts()
      try reader.forEachPendingEntry(of: nil) { entry throws(StoreError) in
        guard newFiles.mayConcern(entry) else { return }
        let row = try reader.record(of: entry.className, localID: entry.localID)
        needed.formUnion(newFiles.unsent(of: entry, row).values.map(\.sha256))
      }
      return needed
    }
    for sum in candidates.subtracting(needed) { context.files.remove(sum, limit) }
  }
}
