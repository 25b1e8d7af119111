// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
public import Foundation
import LoopbackParse
import Randomness

/// A world of files: apps give contents to fields, and no content is lost or sent twice for two records.
///
/// A content is known by its sum, and several fields may have one. So this world notes who gave which content to which
/// field, from the rows of the devices before and after each edit, and what the server's records named.
public final class FileWorld: LedgerWorld, @unchecked Sendable {
  let server: FileServer
  var ledger: FileLedger
  let fileFields: [String]
  /// Whether devices send no file of more than 40 bytes.
  let hasSmallLimit: Bool
  private var devices: [FileDevice] = []
  private var texts: [String] = []
  /// How often a week has passed.
  private var weeks = 0

  /// Makes the world of a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - folder: Where the files of the devices go.
  /// - Throws: `StoreError` if a device's store cannot be created.
  public init(seed: UInt64, in folder: URL = Simulation.standardFolder) throws {
    var chance = Chance(seed: seed ^ 0x4649_4C45)
    let clock = SimulatedClock(seed: seed)
    var fields = [Field("title", .text), Field("note", .text), Field("image", .file)]
    if chance.one(in: 2) {
      fields.append(Field("scan", .file, replacedFiles: chance.one(in: 2) ? .delete : .keep))
    }
    var entity = Entity("Photo", fields: fields)
    if chance.one(in: 4) { entity.deletionStrategy = .fullScan }
    fileFields = fields.filter { $0.type == .file }.map(\.name)
    hasSmallLimit = chance.one(in: 4)
    server = FileServer(entity, allowsCustomIDs: chance.one(in: 2), seed: seed, clock: clock)
    let editWins = chance.one(in: 2)
    let localWins = chance.one(in: 2)
    ledger = FileLedger(localWins: localWins)
    let keys: [ParseServer.Key?] = (0..<(chance.one(in: 3) ? 3 : 2)).map { _ in
      chance.one(in: 3) ? .master("mk") : nil
    }
    super.init(
      "files-\(seed)", clock: clock, chance: chance, schema: Schema([entity]),
      editWins: editWins, in: folder)
    for (number, key) in keys.enumerated() {
      devices.append(
        try FileDevice(number, of: self, key: key, conflicts: localWins ? .localWins : .remoteWins))
    }
    server.arrived = { [unowned self] content, place, isNew, isLate in
      let violation = ledger.arrive(content, at: place, isNew: isNew, isLate: isLate)
      server.violation = server.violation ?? violation
    }
    server.overwritten = { [unowned self] content, place, number in
      guard devices[number].known[place]?.contains(content) != true else { return }
      server.violation =
        server.violation
        ?? Violation(
          .blindWrite,
          "\(devices[number].letter) replaced a content of \(place.row).\(place.field) that it never had"
        )
    }
  }

  // MARK: Happenings

  deinit { for device in devices { device.end() } }

  override func begin() throws {
    for _ in 0..<(1 + chance.number(below: 3)) { insertAsClient() }
    for device in devices { try sync(device) }
  }

  override func step() throws {
    server.deliver(olderThan: nil, by: &chance)
    let device = chance.pick(devices)
    switch chance.number(below: 28) {
    case 0..<7: try edit(on: device)
    case 7, 8: try insert(on: device)
    case 9..<11: editAsClient()
    case 11: try device.undo("undo")
    case 12 where chance.one(in: 2):
      if let row = try device.pickRow(by: &chance) { try device.delete(row) }
    case 13: try device.discard()
    case 14, 15: try device.restore()
    case 16: try settle(device)
    case 17 where chance.one(in: 3):
      device.ahead = chance.pick([0, 3_600_000, 600_000, -3_600_000])
      note("\(device.letter): clock \(device.ahead / 1000) s ahead")
    case 18: try device.open()
    case 19:
      note("\(device.letter): prune")
      try device.prune()
    case 20 where chance.one(in: 2): pass(hours: 2)
    case 21 where chance.one(in: 6) && weeks < 2:
      weeks += 1
      pass(hours: 8 * 24)
    default:
      clock.pass(milliseconds: Int64(chance.pick([1, 30, 90, 200])) * 1000)
      if chance.one(in: 3) { device.endsIn = chance.number(below: 30) }
      try sync(device)
    }
    if let violation = try server.violation ?? device.checkContents() { throw violation }
  }

  private func pass(hours: Int64) {
    note("\(hours) hours later")
    clock.pass(milliseconds: hours * 3_600_000)
  }

  override func comeToRest() throws {
    server.deliver(olderThan: .infinity, by: &chance)
    for _ in 0..<8 {
      for device in devices {
        clock.pass(milliseconds: 2_000_000)
        try settle(device)
        try sync(device)
      }
    }
  }

  private func sync(_ device: FileDevice) throws {
    let ending = try device.sync()
    note("\(device.letter): sync \(ending ?? "")")
    for record in server.records() { note("    there: \(told(record.fields))") }
    for row in try device.rows() { note("    \(device.letter): \(told(row.fields))") }
    for conflict in try device.conflictRecords() {
      note(
        "    \(device.letter): \(conflict.reason), \(conflict.record.localID) lost \(told(conflict.lost)), "
          + "kept \(told(conflict.kept))")
    }
    try device.look()
    if isCalm, let ending { throw Violation(.failedSync, "\(device.letter): \(ending)") }
    if let violation = try device.checkContents() ?? device.checkGifts(false) { throw violation }
  }

  /// A file by the first digits of its sum, and by where it is.
  override func told(_ value: Value) -> String {
    guard case .file(let file) = value else { return super.told(value) }
    let sum = (server.content(of: value) ?? "?").prefix(6)
    return file.unsent.map { "\(sum) (new, \($0.name))" } ?? "\(sum) (\(file.name.prefix(6)))"
  }

  private func settle(_ device: FileDevice) throws {
    for entry in try device.entries() {
      if case .parked = entry.state { try device.settle(entry) }
    }
  }

  // MARK: Edits of apps

  /// A content that nobody gave before.
  func newText() -> String {
    let text = "content \(texts.count + 1)"
    texts.append(text)
    return text
  }

  /// A content; now and then one that an app or the client gave before, or one that no device sends.
  private func text() -> String {
    if !texts.isEmpty, chance.one(in: 4) { return chance.pick(texts) }
    let text = newText()
    return chance.one(in: 8) ? text + String(repeating: ".", count: 60) : text
  }

  /// An app gives a row a file, or clears one, or edits another field; also while a request is under way.
  func edit(on device: FileDevice) throws {
    guard !device.isKilled, let row = try device.pickRow(by: &chance) else { return }
    var changed: Fields = [:]
    for field in fileFields where chance.one(in: 2) { changed[field] = try value(on: device) }
    if changed.isEmpty || chance.one(in: 3) {
      changed["note"] = .string("\(device.letter)\(clock.milliseconds)")
    }
    // The process may end between the content and the row.
    guard !chance.one(in: 12) else { return }
    try device.write("edit \(row["title"]) \(told(changed))") {
      try $0.update(row.reference, changed)
    }
  }

  private func value(on device: FileDevice) throws -> Value {
    switch chance.number(below: 8) {
    case 0: return .null
    case 1:
      let other = try device.pickRow(by: &chance)
      return other?[chance.pick(fileFields)] ?? .null
    default:
      let name = chance.one(in: 10) ? "page.html" : chance.pick(["a.txt", "b.txt"])
      return .file(try device.newFile(text(), name))
    }
  }

  private func insert(on device: FileDevice) throws {
    let title = newTitle()
    var fields: Fields = ["title": .string(title)]
    for field in fileFields where chance.one(in: 2) { fields[field] = try value(on: device) }
    try device.write("insert \(told(fields))") { try $0.insert(entity.name, fields) }
  }

  // MARK: Another client

  private func insertAsClient() {
    let title = newTitle()
    var fields: [String: LoopbackValue] = ["title": .string(title)]
    fields["image"] = file(for: RowField(row: title, field: "image"))
    server.insert(fields)
    server.look(at: nil)
    note("client inserts \(title)")
  }

  /// While a device asks for something, the client may edit.
  func clientActs() {
    if !isCalm, chance.one(in: 16) { editAsClient() }
  }

  private func editAsClient() {
    guard let record = server.pickRecord(by: &chance), let title = record.title else { return }
    let field = chance.pick(fileFields)
    let place = RowField(row: title, field: field)
    switch chance.number(below: 6) {
    case 0: server.update(record.id, ["note": .string("c\(clock.milliseconds)")])
    case 1: server.update(record.id, [field: ["__op": "Delete"]])
    case 2:
      let other = server.pickRecord(by: &chance)?.fields[field]
      guard case .file(let file)? = other, let content = server.content(of: other) else { return }
      ledger.give(content, to: place, by: nil)
      server.update(record.id, [field: ["__type": "File", "name": .string(file.name)]])
    default: server.update(record.id, [field: file(for: place)])
    }
    server.look(at: nil)
    note("client edits \(title).\(field)")
  }

  /// A file that the client sends for a field.
  private func file(for place: RowField) -> LoopbackValue {
    let bytes = Array(text().utf8)
    guard let name = server.upload(bytes, as: "c.txt") else { return ["__op": "Delete"] }
    server.note(bytes, of: name)
    if let content = server.sums[name] { ledger.give(content, to: place, by: nil) }
    return ["__type": "File", "name": .string(name)]
  }

  // MARK: The end

  override func check() throws -> Violation? {
    if let violation = server.violation ?? checkCopies() { return violation }
    let records = server.records()
    for record in records {
      guard let title = record.title, !server.removed.contains(title) else { continue }
      if records.filter({ $0.title == title }).count > 1 {
        return Violation(.duplicate, "the server has two records of \(title)")
      }
    }
    for device in devices {
      let violation =
        try device.check(records) ?? device.checkGifts(true) ?? device.checkContents()
        ?? device.checkOrphans()
      if let violation { return violation }
    }
    return try checkRest()
  }

  /// No two copies that a device sent of one content are named by records.
  private func checkCopies() -> Violation? {
    var copies: [String: [String]] = [:]
    for (name, upload) in server.uploads
    where server.named.contains(name) && server.files[name] != nil {
      copies["\(upload.device) \(upload.given) \(server.sums[name] ?? "")", default: []].append(
        name)
    }
    guard let twice = copies.values.first(where: { $0.count > 1 }) else { return nil }
    return Violation(.duplicate, "records name two copies of a content: \(twice.sorted())")
  }

  /// A further sync changes nothing.
  private func checkRest() throws -> Violation? {
    let count = server.changeCount
    for device in devices { try sync(device) }
    guard server.changeCount == count else {
      return Violation(.unrest, "a further sync changes the server")
    }
    return nil
  }
}
