// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import LoopbackParse
import Randomness

/// The server of a world of numbers: it notes which additions it carried out.
final class CounterServer: LedgerServer, @unchecked Sendable {
  // Unchecked: one thread plays a world, which keeps the server to itself.
  private var hidden: Set<String> = []
  /// Whether the last addition of each device to a record was carried out, by object id.
  private(set) var carriedOut: [Int: [String: Bool]] = [:]
  /// The rows of which a record was deleted.
  private(set) var removed: Set<String> = []

  override func answer(
    _ request: LoopbackRequest, from device: Int, isLate: Bool = false
  ) -> LoopbackResponse {
    let before = recordsByID()
    let answer = super.answer(request, from: device, isLate: isLate)
    guard request.method != "GET" else { return answer }
    let after = recordsByID()
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
