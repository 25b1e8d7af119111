// Ferry: offline-first sync for Parse Server. MIT licence.

/// A mistake that a sync engine could make, for tests of the simulator itself: its rules must catch each.
///
/// The engine stays as it is shipped. A mistake sits at one of its ports, where it undoes a mechanism: in the
/// store, in the requests, in the answers, or in the options. Or it sits in the engine's code, in a copy of the
/// sources (`SeededSources`).
package enum SeededBug: String, Sendable, CaseIterable {
  // Late commits: what a listing must not miss.
  case noOverlap = "a listing looks no further back than the last one"
  case behindNewest = "a listing begins behind the newest row of the last one"
  case overlapUncompared = "a comparison of the overlap misses changed versions"
  case noWholeComparison = "a class is never compared as a whole"

  // Ties and the ends of pages.
  case skippedTies = "a page leaves out rows with the stamp of the last row"
  case roundedStamps = "the stamp of a page's last row is rounded up to seconds"
  case onePage = "a listing ends with its first page"
  case shortLookup = "a look-up ends with a page that is not full"
  case shortComparison = "a comparison ends with its first page"

  // Lost answers and late requests.
  case blindLookup = "a look-up by the client's key finds nothing"
  case noMatching = "an import takes the device's own create for a new record"
  case blindLookupNoMatching = "nothing recognises a create whose answer was lost"
  case lostIsNotSentNoMatching = "a create whose answer was lost is sent again"
  case cutIsNotDoneNoMatching = "a create whose answer was cut is sent again"
  case noSettling = "an attempt that timed out counts as never made"
  case sentAgainAtOnce = "a create that is not found is sent again at once"
  case lostIsNotSent = "a request without an answer counts as not sent"
  case cutIsNotDone = "a cut answer counts as a request that was not carried out"
  case foreignRecord = "a look-up takes another device's record for its own"
  case duplicateImported = "the second record of a create is imported as a row"
  case ownDuplicateKept = "each device keeps its own record of a create"
  case duplicateNotSought = "nobody looks for the second record of a create that came late"
  case duplicateParks = "a create that its own record refuses is parked"
  case noSuccession = "a record that another device created again is a new one"
  case lateForgotten = "a late attempt is forgotten with the next answer"
  case lateValueStays = "an older value that arrives late stays"
  case openFieldSettled = "an edit is done while an older attempt may still arrive"
  case openEditTakenBack = "an edit taken back is not sent while its attempt may arrive"
  case echoIsForeign = "the device's own value counts as another client's edit"
  case rivalKept = "the record of a create keeps its other row"

  // Crashes.
  case intentLost = "a crash forgets what was being sent"
  case notRecovered = "what was being sent at a crash stays so"
  case entryGoneWhenSent = "a change leaves the outbox when it is sent"
  case entryGoneEarly = "a change leaves the outbox while an attempt may arrive"
  case lostIsDone = "a change whose answer was lost counts as carried out"

  // Edits while something is under way.
  case clearsLaterEdits = "an acknowledgement clears later edits"
  case sameFieldCleared = "an acknowledgement clears a later edit of the same field"
  case otherFieldsCleared = "an acknowledgement clears edits of other fields"
  case lookupClearsEdits = "a look-up that finds a create clears later edits"
  case answerBeforeEdits = "an answer is recorded before the edits made meanwhile"
  case importBeforeEdits = "a page is imported before the edits made meanwhile"
  case pendingOverwritten = "an import overwrites a row with unsent edits"
  case baseNotUpdated = "an acknowledgement does not renew the base"

  // Batches.
  case errorsAsSuccess = "an error in a batch counts as success"
  case batchReversed = "the answers of a batch are read in the wrong order"
  case batchFailsWhole = "one error in a batch counts for all of it"

  // Refusals.
  case failureParks = "an answer of unknown outcome parks a change"
  case idRefusalParks = "a server that refuses ids of clients parks creates"
  case parkedIsReady = "a parked change is sent in every sync"

  case deniedAgain = "a write that the user may not make is sent in every sync"
  case deniedDropped = "an edit that the user may not make is forgotten"
  case deniedDeleteStays = "a row that the user may not delete stays away"
  case editDuringRefusalParks = "a refusal parks an edit made meanwhile"

  // Changes that are never tried again.
  case neverAgain = "a change of unknown outcome is never resolved"
  case neverConfirmed = "late attempts are watched for ever"
  case blockedIsParked = "a blocked change is never tried again"
  case awaitedNotFetched = "a record for which a change waits is not fetched"
  case editDoesNotWake = "an edit does not wake a parked change"
  case circleStays = "records that point to each other are never sent"
  case circlePointerLost = "the pointer left out of a circle is never sent"

  // Deletes.
  case noTombstones = "deleted rows leave no trace"
  case deleteRevived = "an import brings back a row that the app deleted"
  case deleteForgotten = "a row deleted while it is created leaves no delete"
  case deleteTakenBack = "an edit of others takes back every delete"
  case unseenEditDeleted = "a delete does not see that others edited the record"
  case outlivedDeleted = "a delete reaches the next record with the same id"
  case deleteNotFound = "a delete of a record that is gone counts as failure"
  case softDeleteIgnored = "a mark of deletion is not seen"
  case softDeleteHard = "a delete removes the record instead of marking it"
  case markStays = "an edit that wins does not take the mark back"
  case noCounting = "nobody looks for deleted records"
  case editNotRevived = "an edit that wins does not revive its record"
  case takenBackEditLost = "a delete that is taken back forgets earlier edits"

  // The removal of many rows.
  case guardOff = "any number of rows is removed without a question"
  case heldSetDiluted = "new rows let a held set of removals pass"
  case confirmationIgnored = "a confirmed removal is held back for ever"
  case goneUnproven = "a row is removed without a second look"
  case evictedIsGone = "a row that left the filter counts as deleted"
  case filterIgnored = "a row outside the filter stays"

  // Clocks and versions.
  case ownClock = "a listing begins at the time of the device's last look"
  case clockNotTrusted = "an attempt of a wrong clock is watched for years"
  case blindWrite = "a change is sent over a version that nobody has seen"
  case wholeRowSent = "an update sends all fields of its row"

  // The state and its version.
  case mergeNotWritten = "the result of a merge is not written"
  case mergeTakesServer = "a merge takes the server's value of an edited field"
  case localWinnerNotSent = "a local value that wins is not sent"
  case laterBase = "a second edit replaces the base of the first"
  case cursorBeforeRows = "the cursor is stored before the rows"
  case stalePages = "staged pages are imported although they are outdated"
  case versionOfReply = "the version comes from the answer to a write"
  case ownStampForgotten = "the stamp of an acknowledged write is forgotten"

  // Schemas that differ, and records that cannot be read.
  case newFieldNotListed = "a field declared since is not listed again"
  case newFieldCleared = "a field declared since counts as cleared on the server"
  case notQuarantined = "a record that cannot be read leaves no trace"
  case curedStays = "a record that can be read again stays in quarantine"
  case unreadableOverwritten = "an edit is sent over a version that cannot be read"

  case setAsideForGood = "a record is not read again after the server's schema has changed"

  // Two programs.
  case otherFieldsKept = "a sync leaves edits of another program's fields in the outbox"
  case syncsTogether = "two programs sync one store at a time"

  // Pointers and ids.
  case pointerFirst = "a create is sent before the record it points to"
  case pointerFirstInUpdate = "an update is sent before the record it points to"
  case pointersKeepID = "pointers keep an id that the server replaced"
  case rewrittenNotSent = "a pointer to a record created again is not sent"
  case rewrittenIsEdit = "a pointer that the engine rewrote counts as an edit"

  // Users and sessions.
  case ownerIgnored = "the changes of a user are sent as the user who logs in later"
  case sentLoggedOut = "the changes of a user are sent without a login"
  case sessionOfMoment = "each request takes the session of its moment"
  case sessionEndParks = "the end of a session parks the changes under way"
  case sessionEndDrops = "the end of a session drops the changes under way"
  case sessionEndGoesOn = "a sync goes on after the end of its session"

  // Lost values.
  case noConflictRecords = "lost values are not kept"
  case removedWithoutTrace = "a row removed with unsent edits leaves no trace"
  case markedWithoutTrace = "a row marked as deleted takes unsent edits with it"

  // Triggers of the app.
  case loggedAfterTrigger = "an edit is logged after what a trigger writes to its row"
  case replacedWhileSyncing = "rows that a trigger replaces during a sync stay replaced"

  // Edits that an app takes back.
  case undoneAgain = "an undo does not note that it took its transaction back"
  case undoOverwrites = "an undo takes values back that were changed since"
  case discardsOneField = "a discard takes one field of an edit back"

  // Classes on demand.
  case onDemandListed = "a sync lists an on-demand class"
  case fetchOnePage = "a fetch ends with its first page"
  case evictsUnsent = "an eviction takes unsent edits along"
  case editedNotAsked = "the edited records of an on-demand class are not asked for"

  /// The class of bugs, as the literature on sync engines numbers them, or else the invariant.
  package var kind: String {
    switch self {
    case .noOverlap, .behindNewest, .overlapUncompared, .noWholeComparison: "C1 late commit"
    case .skippedTies, .roundedStamps: "C2 ties"
    case .onePage, .shortLookup, .shortComparison: "C3 short page"
    case .blindLookup, .noMatching, .blindLookupNoMatching, .lostIsNotSent,
      .lostIsNotSentNoMatching, .cutIsNotDoneNoMatching, .cutIsNotDone,
      .foreignRecord, .duplicateImported, .ownDuplicateKept, .duplicateParks, .noSuccession,
      .echoIsForeign, .rivalKept:
      "C4 lost answer"
    case .noSettling, .sentAgainAtOnce, .duplicateNotSought, .lateForgotten, .lateValueStays,
      .openFieldSettled, .openEditTakenBack:
      "C4 late request"
    case .intentLost, .notRecovered, .entryGoneWhenSent, .entryGoneEarly, .lostIsDone:
      "C5 crash before the answer"
    case .clearsLaterEdits, .sameFieldCleared, .otherFieldsCleared, .lookupClearsEdits,
      .answerBeforeEdits, .importBeforeEdits, .pendingOverwritten, .baseNotUpdated:
      "C6 edit while sending"
    case .errorsAsSuccess, .batchReversed, .batchFailsWhole: "C7 partial batch"
    case .failureParks, .idRefusalParks, .parkedIsReady, .deniedAgain, .deniedDropped,
      .deniedDeleteStays, .editDuringRefusalParks:
      "C8 poison"
    case .neverAgain, .neverConfirmed, .blockedIsParked, .awaitedNotFetched, .editDoesNotWake,
      .circleStays, .circlePointerLost:
      "C9 never tried again"
    case .noTombstones, .deleteRevived, .deleteForgotten, .deleteTakenBack, .unseenEditDeleted,
      .outlivedDeleted, .deleteNotFound, .softDeleteIgnored, .softDeleteHard, .markStays,
      .noCounting, .editNotRevived, .takenBackEditLost:
      "C10 resurrection"
    case .guardOff, .heldSetDiluted, .confirmationIgnored, .goneUnproven, .evictedIsGone,
      .filterIgnored:
      "C11 mass deletion"
    case .ownClock, .clockNotTrusted, .blindWrite, .wholeRowSent: "C12 clocks"
    case .mergeNotWritten, .mergeTakesServer, .localWinnerNotSent, .laterBase, .cursorBeforeRows,
      .stalePages, .versionOfReply, .ownStampForgotten:
      "C16 state behind its version"
    case .newFieldNotListed, .newFieldCleared: "C14 schema drift"
    case .notQuarantined, .curedStays, .unreadableOverwritten, .setAsideForGood:
      "C18 record that cannot be read"
    case .otherFieldsKept, .syncsTogether: "C17 two processes"
    case .pointerFirst, .pointerFirstInUpdate, .pointersKeepID, .rewrittenNotSent,
      .rewrittenIsEdit:
      "I3 pointers"
    case .ownerIgnored, .sentLoggedOut, .sessionOfMoment, .sessionEndParks, .sessionEndDrops,
      .sessionEndGoesOn:
      "C13 users"
    case .undoneAgain, .undoOverwrites, .discardsOneField: "I6 taking back"
    case .onDemandListed, .fetchOnePage, .evictsUnsent, .editedNotAsked:
      "C19 on demand"
    case .noConflictRecords, .removedWithoutTrace, .markedWithoutTrace,
      .loggedAfterTrigger, .replacedWhileSyncing:
      "I1 lost write"
    }
  }

  /// The mistakes that are on together; most bugs are one mistake.
  ///
  /// Two mechanisms of the engine can each hide that the other fails.
  package var parts: [SeededBug] {
    switch self {
    case .blindLookupNoMatching: [.blindLookup, .noMatching]
    case .lostIsNotSentNoMatching: [.lostIsNotSent, .noMatching]
    case .cutIsNotDoneNoMatching: [.cutIsNotDone, .noMatching]
    default: [self]
    }
  }

  /// The mistakes in the engine's code; empty for a mistake at a port.
  var changes: [SourceChange] { Self.allChanges[self] ?? [] }

  private static let allChanges = [
    listingChanges, importChanges, foldingChanges, sendingChanges, resolvingChanges,
    removalChanges, programChanges, identityChanges, triggerChanges, takingBackChanges,
    onDemandChanges,
  ].reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
}
