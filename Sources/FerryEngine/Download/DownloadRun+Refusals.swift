// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

extension DownloadRun {
  // MARK: Refusals

  /// Handles the refusal of a class's page.
  func refused(_ place: Int, _ error: ParseError) throws(SyncError) -> [HTTPRequest] {
    if error.meaning == .forbidden, downloads[place].segments.isCounting {
      // Listing and counting are separate permissions.
      downloads[place].stopCounting()
      return try ask(place, isUncounted: true)
    }
    if let ending = SyncError(endingRun: error) { throw ending }
    if error.meaning == .notFoundOrForbidden, context.server.session.token == nil {
      try leaveOutForUsers(place, error)
    } else if error.meaning == .forbidden {
      try fail(place, isForbidden: true, "It may not be read, so only new rows are sent. \(error)")
    } else {
      try fail(place, error.description)
    }
    return []
  }

  /// Leaves a class out that the server shows only to users; ends the run if it shows no other class either.
  private func leaveOutForUsers(_ place: Int, _ error: ParseError) throws(SyncError) {
    let name = downloads[place].entity.name
    forUsersOnly.insert(place)
    // A run that asks about some classes does not know whether the others are shown.
    guard forUsersOnly.count < context.schema.entities.count(where: \.isOnServer) else {
      throw SyncError(
        .loginNeeded,
        "The server shows \(downloads.count > 1 ? "all classes" : name) only to users who are logged in. Nothing was "
          + "changed, and unsent changes are kept. Log in as a user who may read them, and sync again.",
        cause: error)
    }
    try context.fail(
      name, as: .loginNeeded,
      "The server shows \(name) only to users who are logged in. Its rows and their unsent changes stay as they "
        + "are. Log in as a user who may read it, and sync again.")
  }

  /// Handles the refusal of a whole batch: sends fewer classes at a time, or each alone.
  func refusedBatch(
    _ places: [Int], _ error: ParseError, requestCount: Int
  ) throws(SyncError) -> [HTTPRequest] {
    if error.meaning == .rateLimited || error.meaning == .retryLater,
      let ending = SyncError(endingRun: error)
    {
      throw ending
    }
    if error.meaning == .tooLarge, let halves = try split(places) {
      try BatchProbe(context: context).noteLimit(requestCount / 2)
      return halves
    }
    // An unreadable answer may be the fault of one record in it, not of the batch.
    if error.meaning != .malformed, error.meaning != .cut { suspicion = error }
    return try askSingly(places)
  }

  /// A single request worked that a batch was refused, so batches do not work.
  func singleRequestWorked() throws(SyncError) {
    guard suspicion != nil else { return }
    suspicion = nil
    try BatchProbe(context: context).noteBroken()
  }
}

extension DownloadRun {
  // MARK: Counts that are forbidden or not trusted

  /// The server listed a class that it refused to count.
  func noteCountRefusal(of place: Int) throws(SyncError) {
    let name = downloads[place].entity.name
    try context.change(.classState(name)) { $0.isCountForbidden = true }
    context.notice(
      SyncNotice(
        .countUnreliable, className: name,
        "The permissions of \(name) do not let it be counted, so rows deleted on the server are found by "
          + "listing all of it. Nothing is lost; allow counting to make syncs cheaper."))
  }

  /// The server counts rows that it does not show; the listing of the other rows ended.
  ///
  /// The second time, the class's count is no longer trusted.
  func note(hiddenRowsOf place: Int) throws(SyncError) {
    let name = downloads[place].entity.name
    guard try disagreements(about: name) == 2 else { return }
    context.notice(
      SyncNotice(
        .countUnreliable, className: name,
        "The server counts rows of \(name) that it does not show; a trigger may hide them. So its counts "
          + "are not used: rows deleted on the server are found by listing all of it. The engine removes "
          + "no hidden row."))
  }

  /// The server shows none of many rows that it counts after the last one.
  ///
  /// The first time, the listing stays incomplete. The second time it ends there, and the next one
  /// begins there.
  func foundHidden(_ count: Int, _ place: Int) throws(SyncError) -> [HTTPRequest] {
    let name = downloads[place].entity.name
    let times = try disagreements(about: name)
    guard times > 1 else {
      try context.recover(name)
      context.notice(
        SyncNotice(
          .listingIncomplete, className: name,
          "The server counts \(count.counted("row")) more of \(name) than it shows; a trigger may hide them. What "
            + "it showed is kept, nothing is removed for it, and the next sync goes on from there.")
      )
      return []
    }
    if times == 2 {
      context.notice(
        SyncNotice(
          .countUnreliable, className: name,
          "The server keeps counting \(count.counted("row")) more of \(name) than it shows, so its count is not "
            + "believed any more. Rows behind the hidden ones, and rows deleted on the server, are found by "
            + "listing all of it."))
    }
    downloads[place].stopCounting()
    return try ask(place)
  }

  /// How often in a row the counts of a class disagreed, including this time.
  private func disagreements(about name: String) throws(SyncError) -> Int {
    try context.write(.normal) { transaction throws(StoreError) in
      try transaction.change(.classState(name)) { $0.countDisagreements += 1 }
      return try transaction.state(.classState(name)).countDisagreements
    }
  }
}
