// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// Damages copies of a store, looks into each, and syncs it twice.
///
/// The damage must be detected or harmless. The server must receive no value that no client wrote, and no
/// delete that the app did not make.
struct DamageTrial {
  /// The end of a copy.
  struct Result {
    var damage: Damage
    /// "detected", "detected and mended", "in part" or "complete".
    var end = ""
    /// The values that differ in fields that the app had edited and not sent.
    var unsentValues: [String] = []
    var failures: [String] = []
  }

  let base: DamageBase
  private let root: URL
  /// The copy of the seed that is played; each copy has a folder of its own, because a store may still close.
  private var folder: URL

  init(_ base: DamageBase, in root: URL) {
    self.base = base
    self.root = root
    folder = root
  }

  /// Plays the copy of a seed; says the damage before the copy is opened.
  mutating func play(
    seed: Int, _ announce: (Damage, String) -> Void
  ) async throws -> Result {
    var chance = Chance(seed: seed)
    folder = root.appending(path: "copy-\(seed)")
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let moment = base.moments.randomElement(using: &chance) else {
      throw Trial.Fault("There is no store to damage.")
    }
    try base.place.server.withBackend { present throws(LoopbackError) in
      let address = present.publicURL
      present = moment.backend
      present.publicURL = address
    }
    let damage = try damagedCopy(of: moment, &chance)
    announce(damage, moment.name)
    var result = Result(damage: damage)
    var isRefused = false
    do throws(StoreError) {
      try readAll()
    } catch {
      isRefused = true
      judge(error, &result)
    }
    for _ in 1...2 {
      do {
        let report = try await sync()
        result.end = report.outcome == .complete ? "complete" : "in part"
        if isRefused { result.end = "detected and mended" }
      } catch {
        isRefused = true
        judge(error, &result)
        result.end = "detected"
      }
    }
    judgeServer(moment, &result)
    return result
  }

  /// Reads what an app reads.
  private func readAll() throws(StoreError) {
    try SQLiteStore(reading: file, schema: PlayedClasses.schema).inspect {
      inspection throws(StoreError) in
      _ = try inspection.pendingChanges()
      for entity in PlayedClasses.schema.entities {
        _ = try inspection.rows.count(of: entity.name)
        _ = try inspection.syncState(of: entity.name)
      }
    }
  }

  private var file: URL { folder.appending(path: "store.sqlite") }

  private func damagedCopy(
    of moment: DamageBase.Moment, _ chance: inout Chance
  ) throws -> Damage {
    try FileManager.default.copyItem(at: moment.folder, to: folder)
    while true {
      let damage = Damage.allCases[chance.number(0...(Damage.allCases.count - 1))]
      if try damage.apply(to: folder, other: base.earlier, &chance) { return damage }
    }
  }

  private func sync() async throws -> SyncReport {
    guard let address = URL(string: base.place.server.url) else { throw URLError(.badURL) }
    var options = SyncOptions()
    options.maximumRequestDuration = .zero
    return try await SyncCoordinator(
      store: SQLiteStore(at: file, schema: PlayedClasses.schema),
      server: ParseServer(url: address, applicationID: "app1"),
      staging: folder.appending(path: "staging"), options: options
    ).startSync().report
  }

  // MARK: Judgement

  private func judge(_ error: any Error, _ result: inout Result) {
    switch error {
    case let error as StoreError where error.message.count > 40: break
    case let error as SyncError where error.code != .internalError && error.message.count > 40:
      break
    default: result.failures.append("an error without advice: \(error)")
    }
  }

  private func judgeServer(_ moment: DamageBase.Moment, _ result: inout Result) {
    let (before, now) = (moment.backend, base.place.server.backend)
    for className in ["Team", "Game"] {
      for record in before.objects(of: className) {
        guard let id = record["objectId"]?.string else { continue }
        if let present = now.object(className, id) {
          compare(present, with: record, edited: base.edits[id] ?? arrivedCreate(record), &result)
        } else if !base.deletes.contains(id) {
          result.failures.append("\(className) \(id) was deleted")
        }
      }
      let known = Set(before.objects(of: className).compactMap { $0["objectId"]?.string })
      let new = now.objects(of: className).filter { !known.contains($0["objectId"]?.string ?? "") }
      judgeNew(new, className, before, &result)
    }
    for violation in base.place.server.violations.dropFirst(moment.backend.violations.count) {
      result.failures.append("a harmful request: \(violation)")
    }
  }

  /// The values of a create whose answer was lost: the app may edit them, so a change of them is an edit.
  private func arrivedCreate(_ record: LoopbackValue) -> [String: LoopbackValue] {
    base.creates[record["title"]?.string ?? ""] ?? [:]
  }

  private func compare(
    _ present: LoopbackValue, with before: LoopbackValue, edited: [String: LoopbackValue],
    _ result: inout Result
  ) {
    let own = Set(["createdAt", "updatedAt"])
    let names = Set((present.object ?? [:]).keys).union((before.object ?? [:]).keys)
    for name in names.subtracting(own).sorted() {
      let value = present[name]
      guard value != before[name], value != edited[name] else { continue }
      let text = "\(name): \(value?.text ?? "none") after \(before[name]?.text ?? "none")"
      if edited[name] != nil {
        result.unsentValues.append(text)
      } else {
        result.failures.append(text)
      }
    }
  }

  /// New records may only be the app's creates, each once.
  private func judgeNew(
    _ records: [LoopbackValue], _ className: String, _ before: LoopbackBackend,
    _ result: inout Result
  ) {
    let arrived = Set(before.objects(of: className).compactMap { $0["title"]?.string })
    let expected = className == "Game" ? Set(base.creates.keys).subtracting(arrived) : []
    if records.count > expected.count {
      let titles = records.map { $0["title"]?.text ?? "none" }
      result.failures.append("\(records.count) new records of \(className): \(titles)")
    }
    for record in records {
      let known = base.creates[record["title"]?.string ?? ""] ?? [:]
      for (name, value) in record.object ?? [:]
      where !["objectId", "createdAt", "updatedAt", "ferryKey", "ACL"].contains(name)
        && value != known[name]
      { result.unsentValues.append("\(name) of a create: \(value.text)") }
    }
  }
}
