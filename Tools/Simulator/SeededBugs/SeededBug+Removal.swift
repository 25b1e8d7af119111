// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes with records that are gone.
extension SeededBug {
  private static let comparison = "FerryEngine/Removal/ClassComparison.swift"
  private static let removal = "FerryEngine/Removal/MissingRemoval.swift"
  private static let deleteGuard = "FerryPlanning/Removal/DeleteGuard.swift"

  static let removalChanges: [SeededBug: [SourceChange]] = [
    .noCounting: [
      SourceChange(
        comparison, "guard scans || isCounted else { return nil }",
        "guard !isSeeded, scans || isCounted else { return nil }")
    ],
    .setAsideForGood: [
      SourceChange(
        comparison, "if part != .everything { set.toReadAgain = [] }",
        "if isSeeded || part != .everything { set.toReadAgain = [] }")
    ],
    .awaitedNotFetched: [
      SourceChange(
        comparison, "let awaited = try fetchAwaited()",
        "let awaited = try isSeeded ? [] : fetchAwaited()")
    ],
    .evictedIsGone: [
      SourceChange(
        "FerryEngine/Removal/ClassComparison+Eviction.swift",
        "difference.missing.subtract(try fetch(difference.missing))",
        "if !isSeeded { difference.missing.subtract(try fetch(difference.missing)) }")
    ],
    .removedWithoutTrace: [
      SourceChange(
        removal, "for entry in plan.conflicts { try transaction.recordConflict(entry) }",
        "for entry in plan.conflicts where !isSeeded { try transaction.recordConflict(entry) }")
    ],
    .noTombstones: [
      SourceChange(
        "FerrySQLite/SQLiteReader+Engine.swift", "var named = Set<String>()\n",
        "var named = Set<String>()\n    if isSeeded { return named }\n")
    ],
    .goneUnproven: [
      SourceChange(
        removal, "guard !candidates.isEmpty else { return .gone([]) }",
        "guard !isSeeded, !candidates.isEmpty else { return .gone(candidates.sorted()) }")
    ],
    .editNotRevived: [
      SourceChange(
        "FerryPlanning/Removal/RemovalPlanner.swift",
        "if isOvertaken || isEdited && deletionPolicy == .editWins {",
        "if isOvertaken || !isSeeded && isEdited && deletionPolicy == .editWins {")
    ],
    .guardOff: [
      SourceChange(
        deleteGuard, "guard count > 0 else { return false }",
        "guard count > 0, !isSeeded else { return false }")
    ],
    .heldSetDiluted: [
      SourceChange(
        deleteGuard, "let fewest = min(total, whenHeld ?? total)",
        "let fewest = isSeeded ? total : min(total, whenHeld ?? total)")
    ],
    .confirmationIgnored: [
      SourceChange(
        deleteGuard, "guard !confirmed.contains(name) else { return .pass }",
        "guard isSeeded || !confirmed.contains(name) else { return .pass }")
    ],
  ]
}
