// Ferry: offline-first sync for Parse Server. MIT licence.

/// The access of a coordinator to a store's rows and bookkeeping.
public struct SyncAccess: Sendable {
  package let store: any SyncStore

  package init(_ store: any SyncStore) { self.store = store }
}
