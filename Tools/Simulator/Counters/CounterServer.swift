// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryScenarios
import Foundation
import LoopbackParse
import Randomness

/// The server of a world of numbers: the double, which notes which additions it carried out.
final class CounterServer: @unchecked Sendable {
  /// A record at present.
  struct CounterRecord {
    var id: String
    var fields: Fields
    var title: String? { if case .string(let title)? = fields["title"] { title } else { nil } }
  }

  private struct Late {
    var request: LoopbackRequest
    var device: Int
    var leftAt: Int64
  }

  private var backend: LoopbackBackend
  private let clock: SimulatedClock
  private let entity: Entity
  private var late: [Late] = []
  private var hidden: Set<String> = []
  /// Whether the last addition of each device to a record was carried out, by object id.
  private(set) var carriedOut: [Int: [String: Bool]] = [:]
  /// The rows of which a record was deleted.
  private(set) var removed: Set<String> = []
  let url: URL

  init(_ entity: Entity, allowsCustomIDs: Bool, seed: UInt64, clock: SimulatedClock) {
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = allowsCustomIDs
    configuration.seed = seed
    configuration.now = { clock.date }
    backend = LoopbackBackend(configuration)
    url = URL(string: backend.publicURL) ?? URL(filePath: "/")
    self.clock = clock
    self.entity = entity
    _ = owner(
      "POST", "/parse/schemas/\(entity.name)",
      [
        "className": .string(entity.name), "fields": .object(entity.declarations),
      ])
  }

  // MARK: Devices

  /// Carries a device's request out.
  func answer(_ request: LoopbackRequest, from device: Int) -> LoopbackResponse {
    let before = Dictionary(records().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let answer = backend.answer(request)
    guard request.method != "GET" else { return answer }
    let after = Dictionary(records().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for (id, record) in before {
      guard let present = after[id] else {
        removed.formUnion([record.title].compactMap(\.self))
        continue
      }
      let numbers = entity.fields.filter { $0.merge == .increment }.map(\.name)
      if numbers.contains(where: { record.fields[$0] != present.fields[$0] }) {
        carriedOut[device, default: [:]][id] = true
      }
    }
    return answer
  }

  /// A request with additions leaves a device.
  func leaves(_ request: LoopbackRequest, from device: Int) {
    let text = String(decoding: request.body, as: UTF8.self)
    guard text.contains("Increment") else { return }
    for record in records() where text.contains(record.id) || request.target.contains(record.id) {
      carriedOut[device, default: [:]][record.id] = false
    }
  }

  func delay(_ request: LoopbackRequest, from device: Int) {
    late.append(Late(request: request, device: device, leftAt: clock.milliseconds))
  }

  /// Requests that are late arrive, as long as a request may be at work.
  func deliver(olderThan age: Double?, by chance: inout Chance) {
    var rest: [Late] = []
    for request in late {
      let seconds = Double(clock.milliseconds - request.leftAt) / 1000
      if seconds > 110 { continue }
      if age == nil, chance.one(in: 2) {
        rest.append(request)
      } else {
        _ = answer(request.request, from: request.device)
      }
    }
    late = rest
  }

  // MARK: Other clients and the owner

  func records() -> [CounterRecord] {
    backend.objects(of: entity.name).compactMap { row in
      guard let id = row["objectId"]?.string else { return nil }
      var fields = Fields()
      for field in entity.fields {
        guard let value = row[field.name] else { continue }
        if let number = value.number {
          fields[field.name] = .number(number)
        } else if let text = value.string {
          fields[field.name] = .string(text)
        } else if let elements = value.array {
          fields[field.name] = .array(elements.compactMap { $0.number.map(Value.number) })
        }
      }
      return CounterRecord(id: id, fields: fields)
    }.sorted { ($0.title ?? "", $0.id) < ($1.title ?? "", $1.id) }
  }

  func pickRecord(by chance: inout Chance) -> CounterRecord? {
    let records = records()
    return records.isEmpty ? nil : chance.pick(records)
  }

  func insert(_ fields: [String: LoopbackValue]) {
    _ = owner("POST", "/parse/classes/\(entity.name)", .object(fields))
  }

  func update(_ id: String, _ fields: [String: LoopbackValue]) {
    _ = owner("PUT", "/parse/classes/\(entity.name)/\(id)", .object(fields))
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

  private func owner(_ method: String, _ path: String, _ body: LoopbackValue) -> LoopbackResponse {
    backend.answer(
      LoopbackRequest(
        method, path,
        headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"], json: body))
  }
}
