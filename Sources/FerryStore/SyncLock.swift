// Ferry: offline-first sync for Parse Server. MIT licence.

/// The right to sync a store, held until it is released.
package protocol SyncLock: AnyObject, Sendable {
  func release()
}
