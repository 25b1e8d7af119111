// Ferry: offline-first sync for Parse Server. MIT licence.

/// What a coordinator reaches a store's rows and bookkeeping through.
public struct SyncAccess: Sendable {
  package let store: any SyncStore

  package init(_ store: any SyncStore) { self.store = store }
}
