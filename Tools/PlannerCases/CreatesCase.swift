// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// A few new rows that point to each other, and all passes that send them.
struct CreatesCase {
  private static let classes = ["Game", "League"]
  private static let pointers = ["first", "second"]

  private var entries: [RecordKey: OutboxEntry] = [:]
  private let records: [RecordKey: Record]
  private let pageSize: Int
  private let failing: Set<RecordKey>
  /// The rows sent so far, in their order.
  private var sent: [RecordKey] = []
  private var acknowledged = Set<RecordKey>()

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var creates = CreatesCase(&chance)
    try creates.sendAll()
  }

  private init(_ chance: inout SeededGenerator) {
    let count = 1 + chance.number(below: 6)
    let keys = (0..<count).map { number in
      RecordKey(
        className: chance.pick(Self.classes), localID: LocalID(rawValue: Int64(number + 1)))
    }
    var records: [RecordKey: Record] = [:]
    for key in keys {
      var fields = Fields()
      for field in Self.pointers where chance.one(in: 2) {
        let target = chance.pick(keys)
        fields[field] = .pointer(
          Pointer(className: target.className, objectID: Self.objectID(target)))
      }
      records[key] = Record(
        className: key.className, localID: key.localID, objectID: Self.objectID(key),
        fields: fields)
    }
    var failing = Set<RecordKey>()
    for key in keys {
      guard let record = records[key] else { continue }
      // Some targets were created long ago.
      if chance.one(in: 6) { continue }
      var entry = OutboxEntry(creating: record, foldedThrough: .start)
      if chance.one(in: 10) { entry.refuse(Refusal(reason: .refused, message: "no")) }
      if chance.one(in: 8) { failing.insert(key) }
      entries[key] = entry
    }
    self.records = records
    self.failing = failing
    pageSize = 1 + chance.number(below: count)
  }

  private static func objectID(_ key: RecordKey) -> String { "\(key.className)\(key.localID)" }

  private var text: String {
    let rows = records.values.sorted { $0.key < $1.key }.map {
      "\($0.objectID) \($0.fields.values)"
    }
    return "\(rows)\nentries \(entries.values.map { "\($0.objectID) \($0.state)" }), pages of "
      + "\(pageSize), failing \(failing.map(Self.objectID)), sent \(sent.map(Self.objectID))"
  }

  // MARK: The passes, as the engine makes them

  private mutating func sendAll() throws(BrokenLaw) {
    let due = entries.values.filter(\.mayMove).map(\.key)
    var last: [String: LocalID] = [:]
    for key in entries.keys {
      last[key.className] = max(key.localID, last[key.className] ?? key.localID)
    }
    var order = CreateOrder(upTo: last)
    var stuck = Set<RecordKey>()
    for _ in 0...2 * records.count + 1 {
      try sendPass(&order, &stuck)
      switch order.endPass() {
      case .pass: continue
      case .breakCircle(let start):
        let opener = Cycles.opener(from: start) { planner([$0]).creates().waiting[$0] ?? [] }
        if let opener { try send([opener], &order) } else { order.hold([start]) }
      case .done:
        let isExplained = due.allSatisfy {
          acknowledged.contains($0) || stuck.contains($0) || failing.contains($0)
        }
        return try law(isExplained, "each create is sent, or says why not", text)
      }
    }
    throw BrokenLaw(sentence: "the passes have an end", values: text)
  }

  private mutating func sendPass(
    _ order: inout CreateOrder, _ stuck: inout Set<RecordKey>
  ) throws(BrokenLaw) {
    var start = 0
    while true {
      let left = entries.keys.filter(order.mayGo).sorted().dropFirst(start)
      let page = Array(left.prefix(pageSize))
      guard !page.isEmpty else { return }
      let wave = planner(page, held: Set(entries.keys.filter { !order.mayGo($0) })).creates()
      order.take(wave)
      stuck.formUnion(wave.stuck.keys)
      for (key, parents) in wave.waiting {
        try law(
          parents.allSatisfy { entries[$0.key] != nil }, "a create waits for creates alone", text)
        try law(wave.stuck[key] == nil, "a create does not wait and be stuck", text)
      }
      let before = entries.count
      try send(wave.writes, &order)
      let gone = before - entries.count
      let held = page.count { !order.mayGo($0) && entries[$0] != nil }
      start += page.count - gone - held
    }
  }

  private func planner(_ page: [RecordKey], held: Set<RecordKey> = []) -> UploadPlanner {
    UploadPlanner(
      entries: page.compactMap { entries[$0] }, targets: Array(entries.values), records: records,
      held: held, at: GeneratedEntry.now)
  }

  private mutating func send(
    _ writes: [UploadPlanner.Write], _ order: inout CreateOrder
  ) throws(BrokenLaw) {
    let unsent = Set(entries.keys)
    for write in writes {
      try law(!sent.contains(write.key), "each create is sent once", text)
      try law(entries[write.key]?.mayMove == true, "only a due create is sent", text)
      sent.append(write.key)
      for (field, value) in records[write.key]?.fields.values ?? [:]
      where !write.withheld.contains(field) {
        let isBefore = value.pointers.contains { pointer in
          unsent.contains { Self.objectID($0) == pointer.objectID }
        }
        try law(!isBefore, "a create is sent after its targets", text)
      }
    }
    for write in writes {
      if failing.contains(write.key) {
        order.hold([write.key])
      } else {
        entries[write.key] = nil
        acknowledged.insert(write.key)
      }
    }
  }
}
