// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The contents of a store, class by class.
struct StoreStatus: Sendable {
  struct Class: Sendable {
    var name: String
    var rows = 0
    /// The unsent changes by kind, whatever their state.
    var unsent: [PendingChange.Kind: Int] = [:]
    /// Those that the next sync sends, so that no change is counted in two columns.
    var creates = 0
    var updates = 0
    var deletes = 0
    var parked = 0
    var blocked = 0
    /// Sent without an answer; the next sync looks them up.
    var inDoubt = 0
    var quarantined = 0
    /// Removals and deletes that wait for a confirmation.
    var held = 0
    /// The new files of unsent changes; an equal one of several rows is sent once.
    var newFiles: Set<UnsentFile> = []
    /// The changes and records that wait for a person.
    var leftovers: [Leftover] = []
    var isInitialSyncDone = false
    /// Whether syncs leave the class to fetches of the app.
    var isOnDemand = false
    /// Up to where the server's changes are known to be here, by its clock.
    var listedThrough: Timestamp?

    init(_ name: String, isOnDemand: Bool = false) {
      self.name = name
      self.isOnDemand = isOnDemand
    }

    init(
      _ name: String, rows: Int, changes: [PendingChange], quarantined: [QuarantinedRecord],
      held: [GuardedRemoval], kept: [KeptRow] = [], failure: String? = nil, isInitialSyncDone: Bool,
      listedThrough: Timestamp?
    ) {
      self.name = name
      self.rows = rows
      self.quarantined = quarantined.count
      self.held = held.reduce(0) { $0 + $1.count }
      self.isInitialSyncDone = isInitialSyncDone
      self.listedThrough = listedThrough
      for change in changes { count(change) }
      if let failure { leftovers.append(Leftover(className: name, failure: failure)) }
      leftovers += held.map(Leftover.init) + kept.map(Leftover.init)
      leftovers += quarantined.map(Leftover.init)
    }

    mutating func count(_ change: PendingChange) {
      if let leftover = Leftover(change) { leftovers.append(leftover) }
      unsent[change.kind, default: 0] += 1
      newFiles.formUnion(change.files.values)
      switch (change.state, change.kind) {
      case (.parked, _): parked += 1
      case (.blocked, _): blocked += 1
      case (.sending, _), (.inDoubt, _): inDoubt += 1
      // The sets that are held back count them.
      case (.heldBack, _): break
      case (.ready, .create): creates += 1
      case (.ready, .update): updates += 1
      case (.ready, .delete), (.ready, .deleteAfterCreate): deletes += 1
      }
    }
  }

  var server: String
  var applicationID: String
  var isStoreThere: Bool
  /// Whether the store's file is there, and empty.
  var isStoreEmpty = false
  var classes: [Class]
  var leftOut = LeftOutChanges()
  var history: HistoryExtent?
  var historyByteCount: Int64?
  /// The conflict records that nobody has seen, by class.
  var unseenConflicts: [String: Int] = [:]
  /// How many uploads were lost, or came to no record.
  var lostUploads = 0

  var json: JSONMessage {
    let members = classes.map { ($0.name, $0.json) }
    return JSONMessage(
      "status",
      [
        "server": .string(server), "application_id": .string(applicationID),
        "store": .boolean(isStoreThere),
        "classes": .object(Dictionary(members, uniquingKeysWith: { first, _ in first })),
        "left": .array(leftovers.map(\.json)),
        "unseen_conflicts": .object(unseenConflicts.mapValues { .count($0) }),
        "new_files": .count(newFiles.count), "new_file_bytes": .count(newFiles.bytes),
        "lost_uploads": .count(lostUploads),
      ]
    ).with(leftOut).with("history", history?.json(byteCount: historyByteCount))
  }

  func lines(width: Int?) -> [String] {
    let head = "Server: \(server), application \(applicationID)"
    guard isStoreThere else {
      let place =
        isStoreEmpty
        ? "store.sqlite has 0 bytes and counts as a new store"
        : "There is no store in this folder yet"
      return [head, "\(place); \"ferry sync\" \(isStoreEmpty ? "fills it" : "makes one")."]
    }
    let table = TextTable(
      headings: [
        "class", "rows", "create", "update", "delete", "parked", "blocked", "in doubt", "held back",
        "quarantined", "last listing",
      ], rows: classes.map(\.cells))
    return [head] + table.lines(width: width) + Leftover.lines(leftovers)
      + leftOut.lines + (history?.lines(byteCount: historyByteCount) ?? []) + lost + files + [
        unsent
      ]
  }

  private var lost: [String] {
    let count = unseenConflicts.values.reduce(0, +)
    guard count > 0 else { return [] }
    return [
      "\(count.counted("conflict record is", "conflict records are")) unseen; \"ferry conflicts\" shows what syncs overwrote "
        + "or removed."
    ]
  }

  private var newFiles: (count: Int, bytes: Int) {
    let files = classes.reduce(into: Set<UnsentFile>()) { $0.formUnion($1.newFiles) }
    return (files.count, files.reduce(0) { $0 + $1.bytes })
  }

  private var files: [String] {
    var lines: [String] = []
    if newFiles.count > 0 {
      lines.append(
        "\(newFiles.count.counted("new file goes", "new files go")) before the unsent changes, "
          + "\(ReportText.size(newFiles.bytes)).")
    }
    if lostUploads > 0 {
      lines.append(
        "The server has, or may have, \(lostUploads.counted("file", "files")) of this folder that no record names; \"ferry files\" "
          + "lists them."
      )
    }
    return lines
  }

  private var leftovers: [Leftover] { classes.flatMap(\.leftovers) }

  private var unsent: String {
    let listed = classes.flatMap(\.unsent.values).reduce(0, +)
    let count = listed + leftOut.count
    let sum = count.counted("change is", "changes are") + " unsent"
    return switch (count, listed) {
    case (0, _): "Nothing is unsent."
    case (_, 0):
      "\(sum), because ferry.json leaves out \(count == 1 ? "its" : "their") class or field."
    case (1, _): "\(sum); \"ferry outbox\" shows it."
    case (_, count): "\(sum); \"ferry outbox\" lists them."
    default: "\(sum); \"ferry outbox\" lists \(listed.grouped) of them, and counts the others."
    }
  }
}

extension StoreStatus.Class {
  fileprivate var cells: [String] {
    [name]
      + [rows, creates, updates, deletes, parked, blocked, inDoubt, held, quarantined].map(
        \.grouped)
      + [lastListing]
  }

  private var lastListing: String {
    if isOnDemand { return "on demand" }
    return isInitialSyncDone ? listedThrough?.description ?? "yes" : "none complete yet"
  }

  fileprivate var json: Value {
    .object([
      "rows": .count(rows), "parked": .count(parked), "blocked": .count(blocked),
      "in_doubt": .count(inDoubt), "quarantined": .count(quarantined), "held": .count(held),
      "unsent": [
        "create": .count(unsent[.create] ?? 0), "update": .count(unsent[.update] ?? 0),
        "delete": .count((unsent[.delete] ?? 0) + (unsent[.deleteAfterCreate] ?? 0)),
      ],
      "to_send": ["create": .count(creates), "update": .count(updates), "delete": .count(deletes)],
      "on_demand": .boolean(isOnDemand), "initial_sync_done": .boolean(isInitialSyncDone),
      "last_listing": listedThrough.map { .string($0.description) } ?? .null,
    ])
  }
}
