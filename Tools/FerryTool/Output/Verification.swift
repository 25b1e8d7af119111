// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The differences between the store and the server, record by record.
struct Verification: Sendable {
  /// In which way a record differs.
  enum Kind: String, Sendable, CaseIterable {
    case missingHere = "missing-here"
    case otherVersion = "other-version"
    case goneThere = "gone-there"
    case outsideFilter = "outside-filter"
    case held
    case unsent
    case quarantined

    /// The words after a number.
    var words: String {
      switch self {
      case .missingHere: "missing here"
      case .otherVersion: "in another version here"
      case .goneThere: "gone on the server"
      case .outsideFilter: "outside the filter"
      case .held: "gone on the server, held back here"
      case .unsent: "waiting to be sent"
      case .quarantined: "quarantined"
      }
    }
  }

  struct Difference: Sendable, Equatable {
    var kind: Kind
    var className: String
    var localID: LocalID?
    var objectID: String?
    var fields: [String] = []
    var reason: String?
    /// Whether a sync that compares everything mends it; the others wait for a person.
    var isMendedBySync = true
  }

  /// Whether everything that was asked for could be compared.
  let isWhole: Bool
  /// Whether there are more differences than are listed.
  let isCut: Bool
  let differences: [Difference]
  let guarded: [GuardedRemoval]
  let requests: Int

  /// - Parameters:
  ///   - plan: The plan of a sync that compares everything.
  ///   - changes: The unsent changes.
  ///   - quarantined: The records that earlier syncs set aside.
  init(_ plan: SyncPlan, changes: [PendingChange], quarantined: [QuarantinedRecord]) {
    let brought = plan.actions.compactMap(Difference.init)
    let cured = Set(brought.map { [$0.className, $0.objectID] })
    let held = plan.report.guarded.filter { $0.side == .local }
    differences =
      brought
      + held.flatMap { removal in
        removal.objectIDs.map {
          Difference(
            kind: .held, className: removal.className, objectID: $0, isMendedBySync: false)
        }
      }
      + changes.map(Difference.init)
      + quarantined.map(Difference.init).filter { !cured.contains([$0.className, $0.objectID]) }
    guarded = held
    isCut = plan.isCut
    requests = plan.report.requests
    let open: Set<SyncNotice.Code> = [.classFailed, .listingIncomplete, .absenceUnproven]
    isWhole = plan.report.notices.allSatisfy { !open.contains($0.code) }
  }

  var isEqual: Bool { isWhole && differences.isEmpty }

  /// How many records differ in which way.
  static func counts(_ differences: some Sequence<Difference>) -> [(kind: Kind, count: Int)] {
    let groups = Dictionary(grouping: differences, by: \.kind)
    return Kind.allCases.compactMap { kind in groups[kind].map { (kind, $0.count) } }
  }
}

extension Verification.Difference {
  /// The difference that an action of a plan shows; nil where another source shows it.
  fileprivate init?(_ action: SyncAction) {
    let kind: Verification.Kind
    switch action.kind {
    case .insert: kind = .missingHere
    case .update, .merge: kind = .otherVersion
    case .remove: kind = .goneThere
    case .evict: kind = .outsideFilter
    case .quarantine: kind = .quarantined
    case .post, .put, .delete, .park, .wait, .hold: return nil
    }
    self.init(
      kind: kind, className: action.className, localID: action.localID, objectID: action.objectID,
      fields: action.fields, reason: action.reason, isMendedBySync: kind != .quarantined)
  }
}

extension Verification.Difference {
  fileprivate init(_ change: PendingChange) {
    self.init(
      kind: .unsent, className: change.className, localID: change.localID,
      objectID: change.objectID, fields: change.fields, reason: OutboxLine(change: change).summary,
      isMendedBySync: Leftover(change) == nil)
  }

  fileprivate init(_ record: QuarantinedRecord) {
    self.init(
      kind: .quarantined, className: record.className, objectID: record.objectID,
      reason: record.reason, isMendedBySync: false)
  }

  /// The record on one line.
  var line: String {
    var parts: [String] = []
    if let localID { parts.append("#\(localID)") }
    if let objectID { parts.append(objectID) }
    if !fields.isEmpty { parts.append(fields.joined(separator: ", ")) }
    return parts.joined(separator: " ") + (reason.map { " (\($0))" } ?? "")
  }

  var json: JSONMessage {
    JSONMessage(
      "difference", ["kind": .string(kind.rawValue), "class": .string(className)]
    ).with("local_id", localID.map { .integer($0.rawValue) })
      .with("object_id", objectID.map(Value.string))
      .with("fields", fields.isEmpty ? nil : .texts(fields))
      .with("reason", reason.map(Value.string))
  }
}

extension SyncPlan {
  /// Whether the plan has more actions than it lists.
  fileprivate var isCut: Bool {
    let counted = report.classes.values.reduce(0) {
      $0 + $1.imported + $1.updated + $1.merged + $1.removed + $1.quarantined
    }
    return counted > actions.count
  }
}
