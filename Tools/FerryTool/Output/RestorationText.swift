// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The outcome for one conflict record when those of its run were restored.
struct RestorationText: Sendable {
  var restoration: ConflictRestoration

  /// The row with the values; nil if the conflict record stayed.
  var row: RecordReference? { try? restoration.result.get() }

  private var error: StoreError? {
    guard case .failure(let error) = restoration.result else { return nil }
    return error
  }

  var line: String {
    let number = restoration.conflict.id.map { "\($0)" } ?? "?"
    guard let row else { return "\(number)  not restored: \(error?.message ?? "")" }
    let names = restoration.conflict.lost.names.joined(separator: ", ")
    return "\(number)  restored in \(row.className) #\(row.localID): \(names)"
  }

  var json: JSONMessage {
    JSONMessage(
      "restoration",
      [
        "number": restoration.conflict.id.map(Value.integer) ?? .null,
        "class": .string(restoration.conflict.record.className),
      ]
    ).with("local_id", row.map { .integer($0.localID.rawValue) })
      .with("error", error.map { .string($0.code.rawValue) })
      .with("reason", error.map { .string($0.message) })
  }
}
