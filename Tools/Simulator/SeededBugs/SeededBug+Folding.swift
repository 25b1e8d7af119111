// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes in the folding of the app's edits.
extension SeededBug {
  private static let attempts = "FerryPlanning/Outbox/OutboxEntry+Attempts.swift"
  private static let draft = "FerryPlanning/Outbox/ChangeFolding+Draft.swift"

  static let foldingChanges: [SeededBug: [SourceChange]] = [
    .deleteForgotten: [
      SourceChange(
        draft, "} else if entry.attempts.isEmpty {",
        "} else if isSeeded || entry.attempts.isEmpty {")
    ],
    .editDoesNotWake: [
      SourceChange(
        draft, "case .parked: entry.retry()", "case .parked: if !isSeeded { entry.retry() }")
    ],
    .laterBase: [
      SourceChange(
        draft, "for (name, value) in old.values where entry.base[name] == nil {",
        "for (name, value) in old.values where isSeeded || entry.base[name] == nil {")
    ],
    .openEditTakenBack: [
      SourceChange(
        attempts, "|| isOpen(field) && !isUnsaid(field, in: current)",
        "|| !isSeeded && isOpen(field) && !isUnsaid(field, in: current)")
    ],
  ]
}
