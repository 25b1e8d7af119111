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
    case kept
    case unsent
    case neverSent = "never-sent"
    case quarantined
    case fileMissing = "file-missing"
    case fileSize = "file-size"
    case contentMissing = "content-missing"
    case fileUndecided = "file-undecided"

    /// The words after a number.
    var words: String {
      switch self {
      case .missingHere: "missing here"
      case .otherVersion: "in another version here"
      case .goneThere: "gone on the server"
      case .outsideFilter: "outside the filter"
      case .held: "gone on the server, held back here"
      case .kept: "gone on the server, kept here by a rule of another program"
      case .unsent: "waiting to be sent"
      case .neverSent: "that no sync sends"
      case .quarantined: "quarantined"
      case .fileMissing: "whose file the server does not have"
      case .fileSize: "whose file has another size here"
      case .contentMissing: "whose new file is not here"
      case .fileUndecided: "whose file the server said nothing about"
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

  /// The differences of one kind in a class.
  struct Group: Sendable {
    var count = 0
    /// How many of them a sync that compares everything mends.
    var mended = 0
    /// The first of them, as many as a text lists.
    var listed: [Difference] = []
  }

  /// Whether everything that was asked for could be compared.
  let isWhole: Bool
  /// Whether there are more differences than are listed.
  let isCut: Bool
  let guarded: [GuardedRemoval]
  let requests: Int
  /// The differences by class; however many there are, only the first of each kind are kept.
  private(set) var classes: [String: [Kind: Group]] = [:]
  private let limit: Int?
  /// The classes whose first sync is still to come: it compares everything anyway.
  var neverSynced: Set<String> = []
  /// The unsent changes that ferry.json leaves out.
  var leftOut = LeftOutChanges()
  /// The files that were compared; nil where nobody asked for that.
  var files: FileComparison?
  /// The differences that the plan found.
  let planned: [Difference]

  /// - Parameters:
  ///   - plan: The plan of a sync that compares everything.
  ///   - limit: How many differences of each kind to keep; nil for all.
  init(_ plan: SyncPlan, keeping limit: Int?) {
    self.limit = limit
    guarded = plan.report.guarded.filter { $0.side == .local }
    planned =
      plan.actions.compactMap(Difference.init)
      + guarded.flatMap { removal in
        removal.objectIDs.map {
          Difference(
            kind: .held, className: removal.className, objectID: $0, isMendedBySync: false)
        }
      }
    isCut = plan.isCut
    requests = plan.report.requests
    isWhole = plan.report.notices.allSatisfy {
      !$0.code.leavesClassOut && ![.listingIncomplete, .absenceUnproven].contains($0.code)
    }
  }

  mutating func add(_ difference: Difference) {
    var group = classes[difference.className]?[difference.kind] ?? Group()
    group.count += 1
    if difference.isMendedBySync { group.mended += 1 }
    if group.listed.count < limit ?? .max { group.listed.append(difference) }
    classes[difference.className, default: [:]][difference.kind] = group
  }

  var isEqual: Bool { isWhole && classes.isEmpty && leftOut.count == 0 }

  /// How many records differ in which way.
  var counts: [(kind: Kind, count: Int)] {
    let sums = classes.values.reduce(into: [Kind: Int]()) { sums, groups in
      for (kind, group) in groups { sums[kind, default: 0] += group.count }
    }
    return Kind.allCases.compactMap { kind in sums[kind].map { (kind, $0) } }
  }

  /// How many differences a sync that compares everything mends.
  var mended: Int { classes.values.flatMap(\.values).reduce(0) { $0 + $1.mended } }

  /// The command that mends them.
  var remedy: String {
    // Any sync sends what waits to be sent.
    let mends = classes.filter { $1.contains { $0 != .unsent && $1.mended > 0 } }
    return mends.keys.allSatisfy(neverSynced.contains)
      ? "ferry sync" : "ferry sync --compare everything"
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
    case .wait where action.stage == .deleteMissing: kind = .kept
    case .upload, .post, .put, .delete, .park, .wait, .hold: return nil
    }
    self.init(
      kind: kind, className: action.className, localID: action.localID, objectID: action.objectID,
      fields: action.fields, reason: action.reason,
      isMendedBySync: kind != .quarantined && kind != .kept)
  }
}

extension Verification.Difference {
  init(_ change: PendingChange) {
    self.init(
      kind: .unsent, className: change.className, localID: change.localID,
      objectID: change.objectID, fields: change.fields, reason: OutboxLine(change: change).summary,
      isMendedBySync: [nil, .inDoubt].contains(change.state.leftover))
  }

  init(neverSent row: RecordReference) {
    self.init(
      kind: .neverSent, className: row.className, localID: row.localID, objectID: row.objectID,
      reason:
        "a trigger inserted it while a sync wrote; delete it, and insert it again without the sync",
      isMendedBySync: false)
  }

  init(_ file: FileDifference) {
    let sizes = [(file.bytesHere, "here"), (file.bytesThere, "on the server")].compactMap {
      bytes, place in
      bytes.map { "\($0) bytes \(place)" }
    }
    self.init(
      kind: Verification.Kind(file.kind), className: file.row.className, localID: file.row.localID,
      objectID: file.row.objectID, fields: [file.field],
      reason: ([file.file.unsent?.name ?? file.file.name] + sizes).joined(separator: ", "),
      isMendedBySync: false)
  }

  init(_ record: QuarantinedRecord) {
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

extension Verification.Kind {
  fileprivate init(_ kind: FileDifference.Kind) {
    switch kind {
    case .missingThere: self = .fileMissing
    case .otherSize: self = .fileSize
    case .contentMissing: self = .contentMissing
    case .undecided: self = .fileUndecided
    }
  }
}
