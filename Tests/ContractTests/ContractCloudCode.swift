// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Synchronization

/// The Cloud Code of `cloud.js`, for the double.
struct ContractCloudCode: Sendable {
  private let gates = ContractGates()

  func install(in configuration: inout LoopbackConfiguration) {
    configuration.triggers["Kept"] = LoopbackTriggers(
      beforeSave: Self.beforeSave, beforeDelete: Self.beforeDelete,
      afterFind: { rows in rows.filter { $0["hidden"] != true } })
    configuration.triggers["Gated"] = LoopbackTriggers(beforeSave: { save in
      if save.changes["gate"] != nil { save.changes["gate"] = ["__op": "Delete"] }
    })
    configuration.functions = Self.functions
  }

  /// Makes a write wait at its gate, after it was stamped and before it is carried out.
  func fault(_ request: LoopbackRequest) -> LoopbackFault? {
    let body = request.json
    switch request.path {
    // Writes without a gate are saved before any write arrives at one.
    case "/parse/functions/saved": return nil
    case "/parse/functions/arrival": gates.awaitArrival(at: body?["gate"]?.string ?? "")
    case "/parse/functions/open": gates.open(body?["gate"]?.string ?? "")
    case "/parse/batch":
      let named = (body?["requests"]?.array ?? []).map { $0["body"]?["gate"]?.string }
      guard let gate = named.compactMap(\.self).first else { return nil }
      var fault = waiting(at: gate)
      fault.heldOperations = Set(named.indices.filter { named[$0] != nil })
      return fault
    default: return body?["gate"]?.string.map(waiting)
    }
    return nil
  }

  private func waiting(at gate: String) -> LoopbackFault {
    var fault = LoopbackFault()
    fault.beforeCommit = { gates.pass(gate) }
    return fault
  }

  private static func beforeSave(_ save: inout LoopbackSave) throws {
    let title = save.changes["title"] ?? save.original?["title"]
    switch title {
    case "refused": throw LoopbackError(code: 777, message: "not this title")
    case "text": throw LoopbackError(code: 141, message: "no title")
    case "error": throw LoopbackError(code: 141, message: "no title at all")
    default: break
    }
    if let title = title?.string, !title.isEmpty {
      save.changes["slug"] = .string(title.lowercased())
    }
    if save.changes["drop"] != nil { save.changes["drop"] = ["__op": "Delete"] }
    if save.changes["point"] == true { save.changes["to"] = .pointer("Kept", "k1") }
    if let original = save.original { save.changes["before"] = original["title"] ?? "" }
  }

  private static func beforeDelete(_ row: LoopbackValue) throws {
    if row["title"] == "for ever" { throw LoopbackError(code: 141, message: "it stays") }
  }

  private static let functions: [String: LoopbackFunction] = [
    "echo": { $0 },
    "nothing": { _ in nil },
    "zero": { _ in 0 },
    "once": { $0 },
    "date": { _ in .date("2024-02-03T04:05:06.789Z") },
    "kind": { $0["when"]?["__type"] == "Date" ? "a date" : "something else" },
    "refuse": { _ in throw LoopbackError(code: 777, message: "custom") },
    "fail": { _ in throw LoopbackError(code: 141, message: "it failed") },
    "text": { _ in throw LoopbackError(code: 141, message: "a text") },
    "picky": { parameters in
      guard let value = parameters["a"] else {
        throw LoopbackError(code: 142, message: "Validation failed. Please specify data for a.")
      }
      return value
    },
    "arrival": { _ in nil },
    "open": { _ in nil },
    "saved": { _ in nil },
  ]
}

/// Gates at which a request waits until another request opens them.
private final class ContractGates: Sendable {
  private let condition = NSCondition()
  private let arrived = Mutex<Set<String>>([])
  private let opened = Mutex<Set<String>>([])

  func pass(_ gate: String) {
    change { arrived.withLock { _ = $0.insert(gate) } }
    wait { opened.withLock { $0.contains(gate) } }
  }

  func awaitArrival(at gate: String) {
    wait { arrived.withLock { $0.contains(gate) } }
  }

  func open(_ gate: String) {
    change { opened.withLock { _ = $0.insert(gate) } }
  }

  private func change(_ change: () -> Void) {
    condition.lock()
    change()
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for at most half a minute, so that a mistake in a section ends in a difference.
  private func wait(until isMet: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 30)
    condition.lock()
    while !isMet(), condition.wait(until: end) {}
    condition.unlock()
  }
}
