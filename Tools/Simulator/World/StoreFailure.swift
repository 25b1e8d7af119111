// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryStore

/// A failure of a device's store.
public struct StoreFailure: Sendable {
  /// The kind.
  public var code: StoreError.Code
  /// Whether it lasts until the sync ends; otherwise it ends with the next transaction.
  public var isForGood: Bool
}
