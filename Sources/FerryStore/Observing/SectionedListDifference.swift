// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The changes that turn one list of sections into another, as a list view animates them.
///
/// Take the removed and moved rows out of the old sections, the last place first, and then the removed sections. Put
/// the inserted sections in, each with all its rows, and then the inserted and moved rows, the first place first. Then
/// show the updated rows anew.
public struct SectionedListDifference: Sendable, Equatable {
  /// The place of a row.
  public struct Place: Sendable, Hashable, Comparable {
    /// The position of its section.
    public var section: Int
    /// Its position in the section.
    public var row: Int

    /// A place in a list of sections.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }

    /// Orders places as the list shows them.
    public static func < (left: Place, right: Place) -> Bool {
      (left.section, left.row) < (right.section, right.row)
    }
  }

  /// A row that stays, at another place.
  public struct Move: Sendable, Hashable {
    /// Its place in the old list.
    public var from: Place
    /// Its place in the new list.
    public var to: Place

    /// A move from one place to another.
    public init(from: Place, to: Place) {
      self.from = from
      self.to = to
    }
  }

  /// The positions in the old list of sections that go, with all their rows, ascending.
  public var removedSections: [Int] = []
  /// The positions in the new list of sections that come, with all their rows, ascending.
  ///
  /// A section that changes its place goes and comes.
  public var insertedSections: [Int] = []
  /// The old places of rows that leave a section that stays, ascending.
  public var removed: [Place] = []
  /// The new places of rows that come into a section that stays, ascending.
  public var inserted: [Place] = []
  /// The rows that go from a section that stays to one that stays, or change places in it, by their new places.
  public var moved: [Move] = []
  /// The new places of rows whose content changed, in sections that stay, ascending; a moved row may be among them.
  public var updated: [Place] = []

  /// Whether both lists are the same.
  public var isEmpty: Bool {
    removedSections.isEmpty && insertedSections.isEmpty && removed.isEmpty && inserted.isEmpty
      && moved.isEmpty && updated.isEmpty
  }

  /// Compares two lists of sections.
  ///
  /// - Parameters:
  ///   - old: The list that the app shows.
  ///   - new: The list that it will show.
  ///   - id: The local id of a row; each is in a list once.
  public init<Key: Hashable & Sendable, Row: Equatable & Sendable>(
    from old: [ListSection<Key, Row>], to new: [ListSection<Key, Row>],
    identifiedBy id: (Row) -> LocalID
  ) {
    let staying = Self.staying(old.map(\.key), new.map(\.key))
    let stayingNew = Set(staying.values)
    removedSections = old.indices.filter { staying[$0] == nil }
    insertedSections = new.indices.filter { !stayingNew.contains($0) }
    // A row that left one section and came into another moved; the other rows are compared section by section.
    var left: [LocalID: Place] = [:]
    var came: [Place] = []
    for (from, to) in staying {
      let (before, after) = (old[from].rows, new[to].rows)
      let section = ListDifference(from: before, to: after, identifiedBy: id)
      for row in section.removed { left[id(before[row])] = Place(section: from, row: row) }
      came += section.inserted.map { Place(section: to, row: $0) }
      updated += section.updated.map { Place(section: to, row: $0) }
      moved += section.moved.map {
        Move(from: Place(section: from, row: $0.from), to: Place(section: to, row: $0.to))
      }
    }
    for to in came {
      let row = new[to.section].rows[to.row]
      guard let from = left.removeValue(forKey: id(row)) else {
        inserted.append(to)
        continue
      }
      moved.append(Move(from: from, to: to))
      if old[from.section].rows[from.row] != row { updated.append(to) }
    }
    removed = left.values.sorted()
    inserted.sort()
    updated.sort()
    moved.sort { $0.to < $1.to }
  }

  /// The new positions of the sections that stay, by their old ones: as many as keep their order.
  private static func staying<Key: Hashable>(_ old: [Key], _ new: [Key]) -> [Int: Int] {
    let ids = Dictionary(
      (old + new).enumerated().map { ($1, LocalID(rawValue: Int64($0))) },
      uniquingKeysWith: { first, _ in first })
    let difference = ListDifference(from: old, to: new) { ids[$0] ?? LocalID() }
    let gone = Set(difference.removed + difference.moved.map(\.from))
    let come = Set(difference.inserted + difference.moved.map(\.to))
    return Dictionary(
      uniqueKeysWithValues: zip(
        old.indices.filter { !gone.contains($0) }, new.indices.filter { !come.contains($0) }))
  }
}
