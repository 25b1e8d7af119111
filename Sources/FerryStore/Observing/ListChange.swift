// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A list of rows, and what has made it of the list before.
public struct ListChange<Row: Sendable>: Sendable {
  /// The rows now.
  public var rows: [Row]
  /// The changes since the list before; of the first list, each row is inserted.
  public var difference: ListDifference
}

extension StoreObservation<[Record]> {
  /// The lists, each with what has changed since the list that this iteration gave before.
  ///
  /// ```swift
  /// for try await change in store.observe(Query("Game")).differences() {
  ///   print(change.rows.count, change.difference.inserted)
  /// }
  /// ```
  public func differences() -> StoreObservation<ListChange<Record>> {
    following { earlier, later in
      ListChange(
        rows: later,
        difference: ListDifference(from: earlier ?? [], to: later, identifiedBy: \.localID))
    }
  }
}

extension StoreObservation {
  /// The lists, each with what has changed since the list that this iteration gave before.
  public func differences<Entity: SyncEntity & Equatable>() -> StoreObservation<ListChange<Entity>>
  where Element == [Entity] {
    following { earlier, later in
      ListChange(
        rows: later, difference: ListDifference(from: earlier ?? [], to: later, identifiedBy: \.id))
    }
  }
}
