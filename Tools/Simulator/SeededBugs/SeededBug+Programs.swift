// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes with two programs on one store.
extension SeededBug {
  static let programChanges: [SeededBug: [SourceChange]] = [
    .otherFieldsKept: [
      SourceChange(
        "FerryEngine/Coordinator/SyncSession.swift", "try asking(store.prepareForSync)",
        "if !isSeeded { try asking(store.prepareForSync) }")
    ],
    .syncsTogether: [
      SourceChange(
        "FerrySQLite/StoreLock.swift", "guard flock(file, LOCK_EX | LOCK_NB) == 0 else {",
        "guard isSeeded || flock(file, LOCK_EX | LOCK_NB) == 0 else {")
    ],
  ]
}
