// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

// Why an unsent change stays although the app wants to take it back.
extension StoreError {
  static func beingSent(_ entry: OutboxEntry) -> StoreError {
    StoreError(
      .beingSent,
      "\(entry.change) was sent, and no answer says yet whether the server has it. So nothing was discarded. Sync "
        + "first; then discard what is still unsent.")
  }

  static func additionInDoubt(_ entry: OutboxEntry) -> StoreError {
    let fields = entry.undecidedFields.sorted().joined(separator: ", ")
    return StoreError(
      entry.isUndecidable ? .cannotDiscard : .beingSent,
      "\(entry.change) adds to \(fields), and no answer says whether the server has that. So nothing was discarded. Say "
        + "whether it counts, with decideIncrements(of:localID:counted:), \"ferry outbox counted\" or \"ferry outbox "
        + "not-counted\"; then discard what is still unsent. As long as a request may be at work, sync first: a sync "
        + "may find it out.")
  }

  static func undecidable(_ entry: OutboxEntry) -> StoreError {
    StoreError(
      .cannotDiscard,
      "\(entry.change) was sent, and nobody may look up whether the server has it. So nothing was discarded. Let the "
        + "server show the class and retry the change, or delete the row.")
  }

  static func deletedOnServer(_ entry: OutboxEntry) -> StoreError {
    StoreError(
      .cannotDiscard,
      "\(entry.change) keeps a record that another client has marked as deleted, so nothing was discarded. Delete the "
        + "row to let the deletion stand.")
  }

  static func isMarked(_ entry: OutboxEntry) -> StoreError {
    StoreError(
      .cannotDiscard,
      "\(entry.change) deletes a record that is marked as deleted on the server already, so there is no row to bring "
        + "back, and nothing was discarded. Undo the deletion to take the mark off; a sync forgets the change "
        + "otherwise.")
  }

  static func needsOtherProgram(_ entry: OutboxEntry) -> StoreError {
    StoreError(
      .cannotDiscard,
      "\(entry.change) deletes a record with fields that this program leaves out, so the row would come back without "
        + "them. Nothing was discarded. Discard it by the program that declares all fields.")
  }

  static func noLongerFits(_ entry: OutboxEntry, _ error: StoreError) -> StoreError {
    StoreError(
      .cannotDiscard,
      "\(entry.change) replaced a value that its field can no longer hold, so nothing was discarded. Edit the row, or "
        + "delete it. The cause: \(error.message)", cause: error)
  }
}

extension OutboxEntry {
  fileprivate var change: String { "The change of the row \(localID) of \(className)" }
}
