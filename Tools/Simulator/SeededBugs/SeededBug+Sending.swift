// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes in the sending of changes, and with the answers to them.
extension SeededBug {
  private static let attempts = "FerryPlanning/Outbox/OutboxEntry+Attempts.swift"
  private static let planner = "FerryPlanning/Upload/UploadPlanner.swift"
  private static let consequence = "FerryPlanning/Upload/WriteConsequence.swift"
  private static let ledger = "FerryEngine/Upload/UploadLedger.swift"
  private static let preparation = "FerryEngine/Upload/WritePreparation.swift"
  private static let checking = "FerryPlanning/Upload/OutboxEntry+Checking.swift"

  static let sendingChanges: [SeededBug: [SourceChange]] = [
    .sameFieldCleared: [
      SourceChange(
        attempts, "return differs(name, in: current, from: sent)",
        "return !isSeeded && differs(name, in: current, from: sent)")
    ],
    .otherFieldsCleared: [
      SourceChange(
        attempts, "guard let sent = carried[name] else { return true }",
        "guard let sent = carried[name] else { return !isSeeded }")
    ],
    .circlePointerLost: [
      SourceChange(
        attempts, "changed = changed.union(carried.values.keys).filter { name in",
        """
        if isSeeded { changed.subtract(attempt.withheld) }
                changed = changed.union(carried.values.keys).filter { name in
        """)
    ],
    .baseNotUpdated: [
      SourceChange(
        attempts, "serverHolds(attempt.carried.merging(answer))",
        "if !isSeeded { serverHolds(attempt.carried.merging(answer)) }")
    ],
    .ownStampForgotten: [
      SourceChange(
        attempts, "acknowledgedVersion = version ?? acknowledgedVersion",
        "if !isSeeded { acknowledgedVersion = version ?? acknowledgedVersion }")
    ],
    .blockedIsParked: [
      SourceChange(
        attempts, "case .ready, .blocked: true\n",
        """
        case .ready: true
            case .blocked: !isSeeded

        """)
    ],
    .parkedIsReady: [
      SourceChange(
        attempts, "case .sending, .inDoubt, .parked, .confirming: false",
        """
        case .parked: isSeeded
            case .sending, .inDoubt, .confirming: false
        """)
    ],
    .pointerFirst: [
      SourceChange(
        planner, "switch unnamed.obstacles(in: fields) {",
        "switch isSeeded ? UnsentPointerTargets.Obstacles.none : unnamed.obstacles(in: fields) {")
    ],
    .pointerFirstInUpdate: [
      SourceChange(
        planner, "var waiting = unnamed.waiting(in: changed)",
        "var waiting = isSeeded ? [:] : unnamed.waiting(in: changed)")
    ],
    .circleStays: [
      SourceChange(
        "FerryPlanning/Upload/CreateOrder.swift", "return hasMoved ? .pass :",
        "return hasMoved ? .pass : isSeeded ? .done :")
    ],
    .failureParks: [
      SourceChange(
        consequence, ".doubt(mayStillRun: mayStillRun)",
        "isSeeded ? .park : .doubt(mayStillRun: mayStillRun)")
    ],
    .cutIsNotDone: [
      SourceChange(
        consequence, "case (.malformed, _), (.cut, _): .doubt(mayStillRun: false)",
        "case (.malformed, _), (.cut, _): isSeeded ? .postpone : .doubt(mayStillRun: false)")
    ],
    .idRefusalParks: [
      SourceChange(
        consequence, "case (.invalidName, .createWithID): .findOutAboutIDs",
        "case (.invalidName, .createWithID): isSeeded ? .park : .findOutAboutIDs")
    ],
    .duplicateParks: [
      SourceChange(
        consequence, "case (.duplicate, _): .lookUp(.duplicate)",
        "case (.duplicate, _): isSeeded ? .park : .lookUp(.duplicate)")
    ],
    .lostIsNotSent: [
      SourceChange(
        "FerryEngine/Upload/WriteFailure+Error.swift",
        "self.init(.outcomeUnknown(mayStillRun: true), error",
        "self.init(isSeeded ? .retryLater : .outcomeUnknown(mayStillRun: true), error")
    ],
    .batchReversed: [
      SourceChange(
        "FerryParse/Answers/ParseResponses+Batch.swift", "zip(operations, items)",
        "zip(operations, isSeeded ? items.reversed() : items)")
    ],
    .batchFailsWhole: [
      SourceChange(
        "FerryEngine/Upload/BatchOutcome.swift", "result.map { Acknowledgement($0, now: now) }",
        """
        (isSeeded && results.contains { $0.failure != nil }
                  ? .failure(ParseError(status: 503, meaning: .retryLater)) : result)
                  .map { Acknowledgement($0, now: now) }
        """)
    ],
    .entryGoneWhenSent: [
      SourceChange(
        ledger, "batch.append(prepared)",
        """
        batch.append(prepared)
                if isSeeded, entry.kind == .update {
                  try transaction.removeOutboxEntry(of: entry.className, localID: entry.localID)
                  continue
                }
        """)
    ],
    .answerBeforeEdits: [
      SourceChange(
        ledger,
        """
            try transaction.fold()
            var again
        """,
        """
            if !isSeeded { try transaction.fold() }
            var again
        """)
    ],
    .versionOfReply: [
      SourceChange(
        ledger, "var conclusion = WriteConclusion.done(",
        """
        if isSeeded, let version = acknowledgement.version, let createdAt = entry.createdAt,
                let row = try transaction.record(of: entry.className, localID: entry.localID),
                let entity = context.schema.entity(entry.className)
              {
                _ = try transaction.apply(
                  [
                    ImportRow(
                      localID: row.localID, objectID: row.objectID, createdAt: createdAt,
                      version: version, acl: row.acl, values: entity.fields.map { row[$0.name] })
                  ], to: entry.className)
              }
              var conclusion = WriteConclusion.done(
        """)
    ],
    .wholeRowSent: [
      SourceChange(
        preparation, "for name in names {",
        "for name in isSeeded ? Set(record.fields.names) : names {")
    ],
    .softDeleteHard: [
      SourceChange(
        preparation, "guard case .softDelete(let field) = entity.deletionStrategy else {",
        "guard !isSeeded, case .softDelete(let field) = entity.deletionStrategy else {")
    ],
    .blindWrite: [
      SourceChange(
        checking, "return version == unreadable ||", "return isSeeded || version == unreadable ||")
    ],
    .deleteNotFound: [
      SourceChange(
        checking, "return kind == .delete ? nil : .notFound",
        "return kind == .delete && !isSeeded ? nil : .notFound")
    ],
  ]
}
