// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncReader {
  /// The error with which a sync of another user than the store's owner ends; nil for one that may go on.
  ///
  /// A store that has exchanged no data yet belongs to nobody: a sync without a login may have ended with the request
  /// for one.
  ///
  /// - Parameters:
  ///   - bound: The store's owner.
  ///   - userID: The user who syncs; nil for nobody.
  /// - Returns: The error.
  /// - Throws: `StoreError` if the store cannot be read.
  func refusal(of bound: StoreOwner, toUser userID: String?) throws(StoreError) -> SyncError? {
    guard bound.userID != userID else { return nil }
    guard bound.userID == nil else { return userID == nil ? .loggedOut : .otherUser }
    return try isUntouched() ? nil : .anonymousData
  }

  /// Whether the store and the server have exchanged no data yet.
  private func isUntouched() throws(StoreError) -> Bool {
    var wasSent = false
    try forEachOutboxEntry { if !$0.attempts.isEmpty { wasSent = true } }
    guard !wasSent else { return false }
    for entity in schema.entities {
      guard try !state(.classState(entity.name)).isInitialSyncDone,
        try acknowledgedCount(of: entity.name) == 0
      else { return false }
    }
    return true
  }
}

extension SyncError {
  static func otherServer(_ bound: StoreOwner) -> SyncError {
    SyncError(
      .otherServer,
      "This store holds the data of \(bound.server), and the sync names another "
        + "server. Nothing was sent and nothing was changed. Use that server, or a new store; if the "
        + "server has moved, say so once, by adopting it as a moved server.",
      adoption: .movedServer)
  }

  fileprivate static let otherUser = SyncError(
    .otherUser,
    "This store holds the data of another user than the one who is logged in. Nothing was sent and "
      + "nothing was changed; unsent changes are kept for their owner. Sync as the owner, or "
      + "give each user a store.")

  fileprivate static let anonymousData = SyncError(
    .otherUser,
    "This store holds data gathered without a login, and a user is logged in now. Nothing was sent "
      + "and nothing was changed. If the data are that user's, say so once, by adopting the anonymous "
      + "data; its unsent changes are then sent in the user's name. If not, give the user a store.",
    adoption: .anonymousData)

  fileprivate static let loggedOut = SyncError(
    .loginNeeded,
    "This store holds a user's data, and nobody is logged in. Nothing was sent and nothing was "
      + "changed; unsent changes are kept. Log in as that user, and sync again.")
}
