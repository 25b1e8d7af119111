// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// A row with unsent changes, the server's record, and a policy.
struct MergeCase {
  static let entity = Entity("Game", fields: GeneratedFields.names.map { Field($0, .integer) })
  private static let resolved = Value.integer(9)
  private static let policies: [ConflictPolicy] = [
    .remoteWins, .localWins, .choosingByField(["f": .local, "g": .remote]),
    .resolvingFields { $0.local }, .resolvingFields { _ in resolved },
    .resolvingFields { _ in "x" },
    .resolvingRecords { _ in [:] }, .resolvingRecords { $0.local.only($0.fields) },
  ]

  private let entry: OutboxEntry
  private let row: Record
  private let remote: Fields
  private let merge: ThreeWayMerge
  private let outcome: ThreeWayMerge.Outcome

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let merge = MergeCase(&chance)
    for (index, field) in entity.fields.enumerated() {
      try merge.check(field.name, merge.outcome.values[index])
    }
    try merge.checkLosses()
    try merge.checkAgain()
  }

  private init(_ chance: inout SeededGenerator) {
    let base = GeneratedFields.make(&chance)
    row = GeneratedEntry.row(GeneratedFields.make(&chance))
    remote = GeneratedFields.make(&chance)
    entry = GeneratedEntry.update(of: row, base: base, &chance)
    merge = ThreeWayMerge(
      entity: Self.entity, policy: chance.pick(Self.policies),
      unknownFields: chance.one(in: 4) ? GeneratedFields.subset(&chance) : [],
      everListedFields: chance.one(in: 2) ? GeneratedFields.subset(&chance) : [])
    outcome = merge.merge(entry, row: row, remote: Self.values(remote), acl: .null)
  }

  static func values(_ fields: Fields) -> [Value] {
    entity.fields.map { fields[$0.name] ?? .null }
  }

  private var text: String {
    "\(entry)\nrow \(row.fields.values)\nserver \(remote.values)\n\(merge.policy), unknown "
      + "\(merge.unknownFields)\n\(outcome)"
  }

  private func check(_ name: String, _ value: Value) throws(BrokenLaw) {
    let local = row[name]
    let server = remote[name] ?? .null
    let isSent = outcome.changed.contains(name)
    try law(value == server || isSent, "a value that the server does not hold is sent", text)
    guard entry.changed.contains(name) else {
      return try law(
        value == server && !isSent, "a field without an edit takes the server's value", text)
    }
    let isUnknown =
      merge.unknownFields.contains(name)
      && (server.isNull
        || (entry.base[name] ?? .null).isNull && !merge.everListedFields.contains(name))
    let isKnown = isUnknown || entry.isRemoteUnchanged(name, server)
    if local == server {
      try law(value == local, "two equal values stay", text)
      try law(isSent == entry.isOpen(name), "a value that may yet change is sent again", text)
    } else if isKnown {
      try law(value == local && isSent, "an edit that nobody else overtook stays", text)
    } else if entry.rewritten.contains(name) {
      try law(value == server, "a pointer that nobody edited takes the server's value", text)
    } else {
      try law(outcome.conflicts.contains(name), "two different edits are a conflict", text)
      try checkConflict(name, value, local: local, server: server)
    }
  }

  private func checkConflict(
    _ name: String, _ value: Value, local: Value, server: Value
  ) throws(BrokenLaw) {
    try law([local, server, Self.resolved].contains(value), "nobody makes up a value", text)
    switch merge.policy {
    case .remoteWins: try law(value == server, "the server's value stays by policy", text)
    case .localWins: try law(value == local, "the local value stays by policy", text)
    default: break
    }
    for (lost, side) in [(local, ThreeWayMerge.Loss.Side.local), (server, .remote)]
    where lost != value {
      let isKept = outcome.losses.contains { $0.side == side && $0.fields[name] == lost }
      try law(isKept, "a value that loses is kept", text)
    }
  }

  private func checkLosses() throws(BrokenLaw) {
    try law(outcome.changed.isSubset(of: entry.changed), "a merge edits nothing", text)
    for loss in outcome.losses {
      for (name, _) in loss.fields.values {
        try law(outcome.conflicts.contains(name), "only a conflict loses a value", text)
        let place = Self.entity.positions[name].map { outcome.values[$0] }
        try law(loss.kept[name] == place, "a loss names the value that stays", text)
      }
    }
  }

  /// The same record once more changes nothing.
  private func checkAgain() throws(BrokenLaw) {
    var joined = entry
    let version = ServerVersion(rawValue: "v2")
    guard !joined.join(outcome.changed, onto: remote, version: version, isConfirmed: false) else {
      return try law(outcome.changed.isEmpty, "an entry with edits is not done", text)
    }
    var merged = row
    for (field, value) in zip(Self.entity.fields, outcome.values) {
      merged.fields[field.name] = value.isNull ? nil : value
    }
    let again = merge.merge(joined, row: merged, remote: Self.values(remote), acl: .null)
    try law(
      again.values == outcome.values && again.losses.isEmpty && again.changed == outcome.changed,
      "a second merge with the same record changes nothing", "\(text)\nagain \(again)")
  }
}
