// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes with users, their sessions and their rights.
extension SeededBug {
  private static let identify = "FerryEngine/Identity/IdentifyStage.swift"
  private static let conclusion = "FerryPlanning/Upload/LookupConclusion.swift"

  static let identityChanges: [SeededBug: [SourceChange]] = [
    .ownerIgnored: [
      SourceChange(
        identify, "if bound.userID != now.userID { try checkUser",
        "if !isSeeded, bound.userID != now.userID { try checkUser")
    ],
    .sentLoggedOut: [
      SourceChange(
        "FerryEngine/Identity/SyncReader+UserRefusal.swift",
        "return userID == nil ? .loggedOut : .otherUser",
        "return userID == nil ? (isSeeded ? nil : SyncError.loggedOut) : .otherUser")
    ],
    .sessionOfMoment: [
      SourceChange(
        "FerryEngine/Coordinator/SyncSession.swift",
        "store: store, staging: staging, server: server,",
        "store: store, staging: staging, server: isSeeded ? coordinator.server : server,")
    ],
    .sessionEndParks: [
      SourceChange(
        "FerryPlanning/Upload/WriteConsequence.swift",
        "case (.retryLater, _), (.failed, _), (.rateLimited, _), (.loginNeeded, _),",
        """
        case (.loginNeeded, _) where isSeeded: .park
              case (.retryLater, _), (.failed, _), (.rateLimited, _), (.loginNeeded, _),
        """)
    ],
    .sessionEndDrops: [
      SourceChange(
        "FerryPlanning/Upload/WriteConclusion.swift",
        "case .postpone: conclusion.postpone(.nothing)",
        """
        case .postpone where isSeeded && failure.meaning == .loginNeeded: conclusion.isDone = true
            case .postpone: conclusion.postpone(.nothing)
        """)
    ],
    .sessionEndGoesOn: [
      SourceChange(
        "FerryEngine/Reporting/SyncError+Server.swift",
        "case .loginNeeded: code = .loginNeeded",
        """
        case .loginNeeded:
              if isSeeded { return nil }
              code = .loginNeeded
        """)
    ],
    .deniedAgain: [
      SourceChange(
        conclusion, "} else if doubt.reason == .denied {",
        "} else if !isSeeded, doubt.reason == .denied {")
    ],
    .deniedDropped: [
      SourceChange(
        conclusion, "return parkDenied(\n        doubt,\n        \"This user may read",
        """
        if isSeeded {
                isDone = true
                return
              }
              return parkDenied(
                doubt,
                "This user may read
        """)
    ],
    .deniedDeleteStays: [
      SourceChange(
        "FerryEngine/Upload/OutcomeResolution.swift",
        "case .reinstate(let row), .takeBack(let row): try transaction.reinstate(row)",
        "case .reinstate(let row), .takeBack(let row): if !isSeeded { try transaction.reinstate(row) }"
      )
    ],
    .editDuringRefusalParks: [
      SourceChange(
        "FerryPlanning/Outbox/OutboxEntry+Attempts.swift",
        "} else if isEditedSince {", "} else if !isSeeded, isEditedSince {")
    ],
  ]
}
