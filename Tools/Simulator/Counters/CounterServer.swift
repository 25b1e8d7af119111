// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import LoopbackParse
import Randomness

/// The server of a world of numbers: it notes which additions it carried out.
final class CounterServer: LedgerServer, @unchecked Sendable {
  // Unchecked: one thread plays a world, which keeps the server to itself.

  /// The additions of a device that the server carried out: what they come to, and how many they were.
  struct Additions {
    var sums: [RowField: Double] = [:]
    var counts: [RowField: Int] = [:]

    mutating func add(from before: Value, to after: Value, at place: RowField) {
      guard before != after else { return }
      sums[place, default: 0] += (after.counted ?? 0) - (before.counted ?? 0)
      counts[place, default: 0] += 1
    }
  }

  private var hidden: Set<String> = []
  /// Whether the last addition of each device to a record was carried out, by object id.
  private(set) var carriedOut: [Int: [String: Bool]] = [:]
  /// The additions of each device that were carried out.
  private var additions: [Int: Additions] = [:]
  /// The rows of which a record was deleted.
  private(set) var removed: Set<String> = []

  override func answer(
    _ request: LoopbackRequest, from device: Int, isLate: Bool = false
  ) -> LoopbackResponse {
    let before = recordsByID()
    let answer = super.answer(request, from: device, isLate: isLate)
    guard request.method != "GET" else { return answer }
    let after = recordsByID()
    for (id, record) in before where after[id] == nil {
      removed.formUnion([record.title].compactMap(\.self))
    }
    let numbers = entity.fields.filter { $0.merge == .increment }.map(\.name)
    for (id, present) in after {
      guard let title = present.title else { continue }
      for name in numbers {
        let (old, new) = (before[id]?.fields[name] ?? .null, present.fields[name] ?? .null)
        additions[device, default: Additions()]
          .add(from: old, to: new, at: RowField(row: title, field: name))
        if old != new, before[id] != nil { carriedOut[device, default: [:]][id] = true }
      }
    }
    return answer
  }

  func additions(of device: Int) -> Additions { additions[device] ?? Additions() }

  /// A device went back to a state in which it knew of these additions.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - known: Its additions that were carried out when it kept the backup.
  /// - Returns: The numbers to which it has added since.
  func wentBack(_ device: Int, to known: Additions) -> Set<RowField> {
    let counts = additions(of: device).counts
    let places = Set(counts.keys.filter { counts[$0] != known.counts[$0] })
    let titles = Set(places.map(\.row))
    for record in records() {
      carriedOut[device, default: [:]][record.id] = record.title.map(titles.contains) ?? false
    }
    return places
  }

  /// A request with additions leaves a device.
  override func leaves(_ request: LoopbackRequest, from device: Int) {
    let text = String(decoding: request.body, as: UTF8.self)
    guard text.contains("Increment") else { return }
    for record in records() where text.contains(record.id) || request.target.contains(record.id) {
      carriedOut[device, default: [:]][record.id] = false
    }
  }

  /// A record's access list leaves everybody out for a while.
  func hideOrShow(by chance: inout Chance) {
    if !hidden.isEmpty { return showAll() }
    guard chance.one(in: 3), let record = pickRecord(by: &chance) else { return }
    hidden.insert(record.id)
    update(record.id, ["ACL": .object([:])])
  }

  var hasHidden: Bool { !hidden.isEmpty }

  func showAll() {
    for id in hidden { update(id, ["ACL": ["*": ["read": true, "write": true]]]) }
    hidden = []
  }
}
