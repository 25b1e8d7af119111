// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes in undo and discard.
extension SeededBug {
  static let takingBackChanges: [SeededBug: [SourceChange]] = [
    .undoneAgain: [
      SourceChange(
        "FerryStore/History/CapturedTransaction+Undoing.swift",
        "if let note, try !self.transaction(note).changes.isEmpty { try setUndone(note) }",
        "if let note, try !self.transaction(note).changes.isEmpty, !isSeeded { try setUndone(note) }"
      )
    ],
    .undoOverwrites: [
      SourceChange(
        "FerryStore/History/UndoPlan.swift",
        "return isUnknown || !edit.isLeft([$0], in: row)",
        "return isUnknown || !edit.isLeft([$0], in: row) && !isSeeded")
    ],
    .discardsOneField: [
      SourceChange(
        "FerryPlanning/Outbox/OutboxEntry+Deciding.swift",
        "let values = edited.map { ($0, base[$0] ?? .null) }",
        "let values = edited.sorted().prefix(isSeeded ? 1 : .max).map { ($0, base[$0] ?? .null) }")
    ],
  ]
}
