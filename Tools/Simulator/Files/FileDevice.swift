// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryPlanning
import FerryScenarios
import FerryStore
import Foundation
import Randomness

/// A device of a world of files, with its app.
final class FileDevice: LedgerDevice, @unchecked Sendable {
  private unowned let world: FileWorld
  /// The contents that the device has had in a field or a conflict record.
  private(set) var known: [RowField: Set<String>] = [:]
  /// The files of the server that a row has named.
  private(set) var held: Set<String> = []

  init(
    _ number: Int, of world: FileWorld, key: ParseServer.Key?, conflicts: ConflictPolicy
  ) throws {
    self.world = world
    try super.init(number, of: world, with: world.server, key: key, conflicts: conflicts)
  }

  override var options: SyncOptions {
    var options = super.options
    if world.hasSmallLimit { options.largestUpload = 40 }
    return options
  }

  override func actWithinSync() throws { try world.edit(on: self) }

  override func asks(writing isWrite: Bool) {
    try? look()
    if !isWrite { world.clientActs() }
  }

  private var cache: FileCache { FileCache(at: folder.url.appending(path: "files")) }

  /// The app keeps a content for a field.
  func newFile(_ text: String, _ name: String) throws -> File {
    let file = try cache.newFile(Data(text.utf8), name: name)
    // The files of the disk have real times, and the engine compares them with those of the world.
    if let sum = file.unsent?.sha256 {
      try FileManager.default.setAttributes(
        [.modificationDate: world.clock.date],
        ofItemAtPath: folder.url.appending(path: "files/unsent/\(sum)").path)
    }
    return file
  }

  /// The fetched contents leave.
  func prune() throws { try cache.prune(to: 0) }

  override func note(from before: Record?, to after: Record) {
    guard case .string(let title) = after["title"] else { return }
    for field in world.fileFields {
      let place = RowField(row: title, field: field)
      let (old, new) = (before.map { $0[field] } ?? .null, after[field])
      guard old != new else { continue }
      world.ledger.takeBack(place, by: number)
      if let content = world.server.content(of: new) {
        var isBack = false
        if case .file(let file) = new { isBack = file.unsent == nil }
        world.ledger.give(content, to: place, by: number, isBack: isBack)
      }
    }
    try? look()
  }

  override func noteRemoval(of row: Record) {
    if case .string(let title) = row["title"] { world.ledger.takeBack(row: title, by: number) }
  }

  func delete(_ row: Record) throws {
    try write("delete \(row["title"])") { try $0.delete(row.reference) }
  }

  /// The app brings a value back that lost.
  func restore() throws {
    let waiting = try conflictRecords().filter { !$0.isRestored && $0.id != nil }
    guard !waiting.isEmpty else { return }
    let conflict = world.chance.pick(waiting)
    do {
      try write("restore \(conflict.reason) \(world.told(conflict.lost))") {
        _ = try $0.restore(conflict: conflict.id ?? 0)
      }
    } catch let error as StoreError {
      world.note("\(letter): a restoration is refused: \(error.code)")
    }
  }

  /// The app answers for a change that the server or the sync refused.
  func settle(_ entry: OutboxEntry) throws {
    let row = try rows().first { $0.objectID == entry.objectID }
    let unsent = world.fileFields.filter { field in
      if case .file(let file)? = row?[field] { file.unsent != nil } else { false }
    }
    guard let row, !unsent.isEmpty else {
      world.note("\(letter): retry \(entry.objectID)")
      _ = try store.retryChange(of: entry.className, localID: entry.localID)
      return
    }
    var changed: Fields = [:]
    for field in unsent { changed[field] = .file(try newFile(world.newText(), "mended.txt")) }
    try write("mend \(row["title"])") { try $0.update(row.reference, changed) }
  }

  /// Takes note of what the device has.
  func look() throws {
    var titles: [LocalID: String] = [:]
    for row in try rows() {
      guard case .string(let title) = row["title"] else { continue }
      titles[row.localID] = title
      note(row.fields, of: title)
      for field in world.fileFields {
        if case .file(let file) = row[field], file.unsent == nil { held.insert(file.name) }
      }
    }
    for conflict in try conflictRecords() {
      var title = titles[conflict.record.localID]
      if case .string(let lost)? = conflict.lost["title"] { title = lost }
      guard let title else { continue }
      note(conflict.lost, of: title)
      note(conflict.kept, of: title)
    }
  }

  private func note(_ fields: Fields, of title: String) {
    for field in world.fileFields {
      guard let content = world.server.content(of: fields[field]) else { continue }
      known[RowField(row: title, field: field), default: []].insert(content)
    }
  }

  // MARK: Rules

  /// The content of each new file that a row or a conflict record names is on this device, or the server has it.
  func checkContents() throws -> Violation? {
    for row in try rows() {
      for field in world.fileFields {
        guard case .file(let file) = row[field], file.unsent != nil else { continue }
        if coordinator?.keptFile(file) == nil {
          return Violation(
            .lostWrite,
            "\(letter) has lost the content of \(row["title"]).\(field), which is unsent")
        }
      }
    }
    for conflict in try conflictRecords() {
      for fields in [conflict.lost, conflict.kept] {
        for case .file(let file) in fields.values.values where !hasContent(of: file) {
          return Violation(
            .lostWrite, "\(letter) has lost the content of \(file.name) in a conflict record")
        }
      }
    }
    return nil
  }

  private func hasContent(of file: File) -> Bool {
    if coordinator?.keptFile(file) != nil { return true }
    let files = world.server.files
    guard let unsent = file.unsent else {
      // Documented: a device removes a replaced file that it has sent, though another one may remember it.
      return files[file.name] != nil || world.server.uploads[file.name]?.device != number
    }
    return world.server.sums.contains { $0.value == unsent.sha256 && files[$0.key] != nil }
  }

  /// Each content that the app gave is on the server, or waits, or a conflict record has it.
  func checkGifts(_ isRestful: Bool) throws -> Violation? {
    let rows = try rows()
    let conflicts = try conflictRecords()
    for (place, gift) in world.ledger.gifts[number] ?? [:] {
      if world.ledger.hasArrived(gift, at: place) { continue }
      let isHere = rows.contains {
        $0["title"] == .string(place.row)
          && world.server.content(of: $0[place.field]) == gift.content
      }
      if isHere, !isRestful { continue }
      let isKept = conflicts.contains { conflict in
        [conflict.lost, conflict.kept].contains {
          world.server.content(of: $0[place.field]) == gift.content
        }
      }
      guard !isKept else { continue }
      return Violation(
        .lostWrite, "\(letter) gave \(place.row).\(place.field) a content that is nowhere")
    }
    return nil
  }

  /// Each file that the device has sent, and that no row ever named, is known.
  func checkOrphans() throws -> Violation? {
    let lost = try store.inspect { try $0.lostUploads() }
    var orphans: [String: Int] = [:]
    for (name, upload) in world.server.uploads
    where upload.device == number && world.server.files[name] != nil {
      guard !world.server.named.contains(name), !held.contains(name) else { continue }
      if lost.contains(where: { $0.serverName == name }) { continue }
      orphans["\(world.server.sums[name] ?? "") \(upload.given)", default: 0] += 1
    }
    for (key, count) in orphans {
      let known = lost.filter { "\($0.file.sha256) \($0.file.name)" == key && $0.serverName == nil }
      guard known.reduce(0, { $0 + $1.count }) >= count else {
        return Violation(
          .lostWrite, "\(letter) does not know of \(count) files of \(key) that nothing names")
      }
    }
    return nil
  }
}
