// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes with writes whose outcome is not known.
extension SeededBug {
  private static let resolving = "FerryPlanning/Outbox/OutboxEntry+Resolving.swift"
  private static let attempts = "FerryPlanning/Outbox/OutboxEntry+Attempts.swift"
  private static let stage = "FerryEngine/Upload/ResolveStage.swift"

  static let resolvingChanges: [SeededBug: [SourceChange]] = [
    .foreignRecord: [
      SourceChange(
        "FerryPlanning/Upload/LookupConclusion.swift",
        "} else if isUnproven, entry.kind == .create {",
        "} else if !isSeeded, isUnproven, entry.kind == .create {"
      ),
      SourceChange(
        resolving, "kind == .create && isUnproven(by",
        "!isSeeded && kind == .create && isUnproven(by"),
    ],
    .sentAgainAtOnce: [
      SourceChange(
        "FerryEngine/Upload/OutcomeResolution.swift", "return entry.isOver(",
        """
        if isSeeded { return true }
            return entry.isOver(
        """)
    ],
    .notRecovered: [
      SourceChange(stage, "entry.recover()", "if !isSeeded { entry.recover() }")
    ],
    .clockNotTrusted: [
      SourceChange(
        stage, "entry.trustClock(at: now, uptime: uptime)",
        "if !isSeeded { entry.trustClock(at: now, uptime: uptime) }")
    ],
    .neverConfirmed: [
      SourceChange(
        stage, "try LateAttempts(context: context).confirm()",
        "if !isSeeded { try LateAttempts(context: context).confirm() }")
    ],
    .duplicateNotSought: [
      SourceChange(
        attempts, "return mayAppear ? clientKey : nil",
        "return mayAppear && !isSeeded ? clientKey : nil")
    ],
    .lateForgotten: [
      SourceChange(
        attempts, "for index in attempts.indices { attempts[index].outcome = .late }",
        """
        if isSeeded { attempts = [] }
            for index in attempts.indices { attempts[index].outcome = .late }
        """)
    ],
    .entryGoneEarly: [
      SourceChange(
        attempts, "return !attempts.contains { $0.outcome == .late }",
        "return isSeeded || !attempts.contains { $0.outcome == .late }")
    ],
    .lateValueStays: [
      SourceChange(
        resolving,
        "for attempt in attempts where attempt.outcome == .late && attempt.kind != .delete {",
        "for attempt in attempts where !isSeeded && attempt.outcome == .late && attempt.kind != .delete {"
      )
    ],
    .echoIsForeign: [
      SourceChange(
        resolving, "return !isArray && attempt.carried[field] == remote",
        "return !isSeeded && !isArray && attempt.carried[field] == remote")
    ],
    .outlivedDeleted: [
      SourceChange(
        resolving, "return createdAt.map { $0 < created } ?? true",
        "return !isSeeded && (createdAt.map { $0 < created } ?? true)")
    ],
    .takenBackEditLost: [
      SourceChange(
        resolving, "entry.changed = Set(withdrawn.values.keys)",
        "entry.changed = isSeeded ? [] : Set(withdrawn.values.keys)")
    ],
    .lookupClearsEdits: [
      SourceChange(
        resolving,
        "changed = changed.filter { differs($0, in: current, from: base[$0] ?? .null) }",
        "changed = isSeeded ? [] : changed.filter { differs($0, in: current, from: base[$0] ?? .null) }"
      )
    ],
    .lostIsDone: [
      SourceChange(
        resolving, "if (remote[name] ?? .null) == sent ||",
        "if isSeeded || (remote[name] ?? .null) == sent ||")
    ],
    .pointersKeepID: [
      SourceChange(
        "FerrySQLite/SQLiteSyncTransaction+Acknowledging.swift",
        "try replacePointers(to: className, from: old, to: new, isKnown: isKnown)",
        "if !isSeeded { try replacePointers(to: className, from: old, to: new, isKnown: isKnown) }"
      )
    ],
    .rewrittenNotSent: [
      SourceChange(
        "FerryEngine/Bookkeeping/SyncTransaction+Naming.swift",
        "for entry in referring { try put(entry) }",
        "for entry in referring where !isSeeded { try put(entry) }")
    ],
  ]
}
