// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes beside triggers of the app.
extension SeededBug {
  private static let capture = "FerrySQLite/CaptureTriggers.swift"

  static let triggerChanges: [SeededBug: [SourceChange]] = [
    .loggedAfterTrigger: [
      SourceChange(
        capture, #""update", "BEFORE UPDATE","#,
        #""update", isSeeded ? "AFTER UPDATE" : "BEFORE UPDATE","#)
    ],
    .replacedWhileSyncing: [
      SourceChange(
        capture, #"let isNoted = "(NEW.createdAt IS NULL OR NOT \(Self.isSync))""#,
        #"let isNoted = isSeeded ? "NOT \(Self.isSync)" : "(NEW.createdAt IS NULL OR NOT \(Self.isSync))""#
      )
    ],
  ]
}
