// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
public import Foundation
import LoopbackParse
import Randomness

/// A world of numbers and sets: devices and another client add to them, and in the end everybody has the sums.
///
/// The values of other worlds are stamps that only one write used, so that a lost one is visible. A sum has no stamp. So
/// this world knows what was added, from the rows of the devices before and after each edit, and which additions the
/// server carried out, from its records before and after each request.
public final class CounterWorld: LedgerWorld, @unchecked Sendable {
  let server: CounterServer
  var ledger = CounterLedger()
  private var devices: [CounterDevice] = []
  private let allowsCustomIDs: Bool
  /// Whether devices keep backups, and go back to them.
  ///
  /// The ledger has no account of what a backup makes of sets, deletes and discarded edits, so these are left out there.
  private let hasBackups: Bool
  private var tokenCount = 0
  /// The other client, among the writers of the ledger.
  private static let client = -1

  /// Makes the world of a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - folder: Where the files of the devices go.
  /// - Throws: `StoreError` if a device's store cannot be created.
  public init(seed: UInt64, in folder: URL = Simulation.standardFolder) throws {
    var chance = Chance(seed: seed ^ 0x434F_554E)
    let clock = SimulatedClock(seed: seed)
    var fields = [
      Field("title", .text), Field("note", .text), Field("count", .integer, merge: .increment),
    ]
    if chance.one(in: 2) { fields.append(Field("size", .number, merge: .increment)) }
    hasBackups = seed % 8 == 5
    if chance.one(in: 2), !hasBackups { fields.append(Field("tags", .array, merge: .set)) }
    var entity = Entity("Counter", fields: fields)
    if chance.one(in: 4) { entity.deletionStrategy = .fullScan }
    allowsCustomIDs = chance.one(in: 2)
    server = CounterServer(entity, allowsCustomIDs: allowsCustomIDs, seed: seed, clock: clock)
    let editWins = chance.one(in: 2)
    let count = chance.one(in: 3) ? 3 : 2
    super.init(
      "counters-\(seed)", clock: clock, chance: chance, schema: Schema([entity]),
      editWins: editWins, in: folder)
    for number in 0..<count { devices.append(try CounterDevice(number, of: self)) }
  }

  deinit { for device in devices { device.end() } }

  override func begin() throws {
    for _ in 0..<(1 + chance.number(below: 3)) { insertAsClient() }
    for device in devices { try sync(device) }
  }

  // MARK: Happenings

  override func step() throws {
    server.deliver(olderThan: nil, by: &chance)
    let device = chance.pick(devices)
    switch chance.number(below: 24) {
    case 0..<8: try edit(on: device)
    case 8: try insert(on: device)
    case 9..<12: editAsClient()
    case 12: try decide(on: device, unless: 2)
    case 13...15 where hasBackups: try backUpOrGoBack(device)
    case 13 where allowsCustomIDs || !server.hasHidden || device.deleted != nil:
      try device.deleteOrUndo()
    case 14: try device.discard()
    // Documented: where edits win, a hidden record may be created again.
    case 15 where !editWins && mayHide:
      server.hideOrShow(by: &chance)
    case 16 where chance.one(in: 3):
      device.ahead = chance.pick([0, 3_600_000, 600_000, -3_600_000])
      note("\(device.letter): clock \(device.ahead / 1000) s ahead")
    case 17 where chance.one(in: 2):
      note("\(device.letter): reopen")
      try device.open()
    default:
      clock.pass(milliseconds: Int64(chance.pick([1, 30, 90, 200])) * 1000)
      try sync(device)
    }
  }

  /// Whether no undo can make a second record of one that is hidden.
  ///
  /// A hidden record counts as deleted, and only a server that takes ids from clients refuses a second one.
  private var mayHide: Bool { allowsCustomIDs || devices.allSatisfy { $0.deleted == nil } }

  override func comeToRest() throws {
    server.deliver(olderThan: .infinity, by: &chance)
    server.showAll()
    for device in devices where device.deleted != nil { try device.deleteOrUndo() }
    for _ in 0..<8 {
      for device in devices {
        clock.pass(milliseconds: 200_000)
        try decide(on: device, unless: 1)
        try sync(device)
      }
    }
  }

  private func sync(_ device: CounterDevice) throws {
    let ending = try device.sync()
    note("\(device.letter): sync \(ending ?? "")")
    for record in server.records() {
      note("    \(told(record.fields))")
    }
  }

  // MARK: Backups

  /// A device keeps a backup, or goes back to it.
  ///
  /// No request of its other life may arrive later: a device cannot know what that carried out.
  private func backUpOrGoBack(_ device: CounterDevice) throws {
    guard chance.one(in: 2), device.hasBackup else {
      if try !device.hasOpenAttempts() { try device.backUp() }
      return
    }
    server.deliver(olderThan: .infinity, by: &chance)
    try device.goBack()
    try sync(device)
  }

  // MARK: Edits

  /// An app adds to a row, or edits another field of it; also while a request is under way.
  func edit(on device: CounterDevice) throws {
    guard device.deleted == nil, let row = try device.pickRow(by: &chance) else { return }
    var changed: Fields = [:]
    for field in entity.fields where field.name != "title" && chance.one(in: 2) {
      switch field.merge {
      case .increment:
        let step: Value =
          field.type == .integer
          ? .integer(chance.pick([1, 1, 2, -1])) : .number(chance.pick([0.5, 1, -0.5]))
        changed[field.name] = Increment.sum(row[field.name], step, minus: .integer(0))
      case .set: changed[field.name] = edited(row[field.name])
      case .lines, nil: changed[field.name] = .string("\(device.letter)\(clock.milliseconds)")
      }
    }
    guard !changed.isEmpty else { return }
    try device.write("edit \(row["title"]) \(changed)") {
      try $0.update(row.reference, changed)
    }
  }

  /// An array with an element more, or without one of its elements.
  private func edited(_ value: Value) -> Value {
    guard case .array(var elements) = value, !elements.isEmpty, chance.one(in: 3) else {
      tokenCount += 1
      var elements: [Value] = []
      if case .array(let present) = value { elements = present }
      return .array(elements + [.integer(Int64(tokenCount))])
    }
    elements.remove(at: chance.number(below: elements.count))
    return .array(elements)
  }

  private func insert(on device: CounterDevice) throws {
    guard device.deleted == nil else { return }
    let title = newTitle()
    try device.write("insert \(title)") {
      try $0.insert(entity.name, ["title": .string(title), "count": 3])
    }
  }

  private func insertAsClient() {
    let title = newTitle()
    ledger.add(10, to: "count", of: title, by: Self.client)
    server.insert(["title": .string(title), "count": 10])
  }

  /// Another client adds to a record, or edits another field of it.
  private func editAsClient() {
    guard let record = server.pickRecord(by: &chance), let title = record.title else { return }
    switch chance.number(below: 4) {
    case 0: server.update(record.id, ["note": .string("c\(clock.milliseconds)")])
    case 1 where entity.field("tags") != nil:
      tokenCount += 1
      ledger.note(added: [Double(tokenCount)], removed: [], to: "tags", of: title, by: Self.client)
      server.update(
        record.id, ["tags": ["__op": "AddUnique", "objects": [.number(Double(tokenCount))]]])
    default:
      ledger.add(1, to: "count", of: title, by: Self.client)
      server.update(record.id, ["count": ["__op": "Increment", "amount": 1]])
    }
    note("client edits \(title)")
  }

  /// The app says what became of additions that nobody can find out about.
  private func decide(on device: CounterDevice, unless odds: Int) throws {
    for entry in try device.parkedAdditions() where chance.one(in: odds) {
      let counted = server.carriedOut[device.number]?[entry.objectID] ?? false
      note("\(device.letter): \(counted ? "counted" : "not counted") \(entry.objectID)")
      guard try device.decide(entry, counted: counted) else {
        throw Violation(.stuck, "\(device.letter) cannot decide about \(entry.objectID)")
      }
    }
  }

  // MARK: The end

  override func check() throws -> Violation? {
    let records = server.records()
    for record in records {
      guard let title = record.title, !server.removed.contains(title) else { continue }
      let isSplit = records.filter { $0.title == title }.count > 1
      if isSplit { return Violation(.duplicate, "the server has two records of \(title)") }
      guard try !devices.contains(where: { try $0.hasLost(title) }) else { continue }
      if let violation = ledger.check(record.fields, of: title, entity) {
        return violation
      }
    }
    for device in devices {
      if let violation = try device.check(records) { return violation }
    }
    return nil
  }
}
