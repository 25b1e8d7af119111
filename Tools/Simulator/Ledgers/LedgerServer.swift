// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryModel
import FerryScenarios
import Foundation
import LoopbackParse
import Randomness

/// The server of a world with a ledger: the double, with one class.
class LedgerServer: @unchecked Sendable {
  /// A record at present.
  struct LedgerRecord {
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
  let entity: Entity
  private var late: [Late] = []
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
  func answer(
    _ request: LoopbackRequest, from device: Int, isLate: Bool = false
  ) -> LoopbackResponse {
    backend.answer(request)
  }

  /// A request that writes leaves a device.
  func leaves(_ request: LoopbackRequest, from device: Int) {}

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
        _ = answer(arriving(request.request), from: request.device, isLate: true)
      }
    }
    late = rest
  }

  /// A late request, with the stamp of its leaving, or of its arrival.
  ///
  /// Documented: a sync finds a write that becomes visible within `SyncOptions.overlap` after its stamp. A request that takes
  /// longer was under way so long, and has its stamp when it arrives.
  private func arriving(_ request: LoopbackRequest) -> LoopbackRequest {
    var request = request
    let overlap = SyncOptions().overlap / .seconds(1)
    if let stamp = request.receivedAt, clock.date.timeIntervalSince(stamp) > overlap - 10 {
      request.receivedAt = nil
    }
    return request
  }

  // MARK: Other clients and the owner

  func records() -> [LedgerRecord] {
    backend.objects(of: entity.name).compactMap { row in
      guard let id = row["objectId"]?.string else { return nil }
      var fields = Fields()
      for field in entity.fields { fields[field.name] = row[field.name].flatMap(Value.init) }
      return LedgerRecord(id: id, fields: fields)
    }.sorted { ($0.title ?? "", $0.id) < ($1.title ?? "", $1.id) }
  }

  func recordsByID() -> [String: LedgerRecord] {
    Dictionary(records().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  func pickRecord(by chance: inout Chance) -> LedgerRecord? {
    let records = records()
    return records.isEmpty ? nil : chance.pick(records)
  }

  func insert(_ fields: [String: LoopbackValue]) {
    _ = owner("POST", "/parse/classes/\(entity.name)", .object(fields))
  }

  func update(_ id: String, _ fields: [String: LoopbackValue]) {
    _ = owner("PUT", "/parse/classes/\(entity.name)/\(id)", .object(fields))
  }

  func owner(_ method: String, _ path: String, _ body: LoopbackValue) -> LoopbackResponse {
    backend.answer(
      LoopbackRequest(
        method, path,
        headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"], json: body))
  }

  /// The contents of all files, by name.
  var files: [String: [UInt8]] { backend.fileContents }

  /// Another client sends a file.
  ///
  /// - Returns: The server's name of it.
  func upload(_ bytes: [UInt8], as name: String) -> String? {
    let answer = backend.answer(
      LoopbackRequest(
        "POST", "/parse/files/\(name)",
        headers: [
          "X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk",
          "Content-Type": "text/plain",
        ], body: bytes))
    return (try? LoopbackValue(json: answer.body))?["name"]?.string
  }
}

extension Value {
  /// A value that a record of the double holds; nil for one that such worlds do not use.
  fileprivate init?(_ value: LoopbackValue) {
    if let number = value.number {
      self = .number(number)
    } else if let text = value.string {
      self = .string(text)
    } else if let elements = value.array {
      self = .array(elements.compactMap { $0.number.map(Value.number) })
    } else if value["__type"]?.string == "File", let name = value["name"]?.string {
      self = .file(File(name: name))
    } else {
      return nil
    }
  }
}
