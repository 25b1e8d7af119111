// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A list of sections, and what has made it of the list before.
public struct SectionedListChange<Key: Hashable & Sendable, Row: Sendable>: Sendable {
  /// The sections now.
  public var sections: [ListSection<Key, Row>]
  /// The changes since the list before; of the first list, each section is inserted.
  public var difference: SectionedListDifference
}

extension StoreObservation<[Record]> {
  /// The lists in sections, each with what has changed since the list that this iteration gave before.
  ///
  /// ```swift
  /// let games = Query("Game", orderedBy: .ascending("league"), .ascending("title"))
  /// for try await change in store.observe(games).differences(sectionedBy: { $0["league"].json }) {
  ///   print(change.sections.map(\.rows.count), change.difference.insertedSections)
  /// }
  /// ```
  ///
  /// - Parameter key: The key that the rows of a section have in common. Sort the query by it first.
  /// - Returns: An observation of the lists in sections.
  public func differences<Key: Hashable & Sendable>(
    sectionedBy key: @escaping @Sendable (Record) -> Key
  ) -> StoreObservation<SectionedListChange<Key, Record>> {
    following { earlier, later in
      SectionedListChange(from: earlier ?? [], to: later, sectionedBy: key, identifiedBy: \.localID)
    }
  }
}

extension StoreObservation {
  /// The lists in sections, each with what has changed since the list that this iteration gave before.
  ///
  /// - Parameter key: The key that the rows of a section have in common. Sort the query by it first.
  /// - Returns: An observation of the lists in sections.
  public func differences<Key: Hashable & Sendable, Entity: SyncEntity & Equatable>(
    sectionedBy key: @escaping @Sendable (Entity) -> Key
  ) -> StoreObservation<SectionedListChange<Key, Entity>> where Element == [Entity] {
    following { earlier, later in
      SectionedListChange(from: earlier ?? [], to: later, sectionedBy: key, identifiedBy: \.id)
    }
  }
}

extension SectionedListChange where Row: Equatable {
  fileprivate init(
    from old: [Row], to new: [Row], sectionedBy key: (Row) -> Key, identifiedBy id: (Row) -> LocalID
  ) {
    sections = ListSection.sections(of: new, by: key)
    difference = SectionedListDifference(
      from: ListSection.sections(of: old, by: key), to: sections, identifiedBy: id)
  }
}
