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
    let (oldPlaces, newPlaces) = (Self.places(of: old), Self.places(of: new))
    removedSections = old.indices.filter { staying[$0] == nil }
    let stayingNew = Set(staying.values)
    insertedSections = new.indices.filter { !stayingNew.contains($0) }
    let (oldRows, newRows) = (old.flatMap(\.rows), new.flatMap(\.rows))
    let flat = ListDifference(from: oldRows, to: newRows, identifiedBy: id)
    let stays = { (place: Place) in staying[place.section] != nil }
    let comes = { (place: Place) in stayingNew.contains(place.section) }
    removed = flat.removed.map { oldPlaces[$0] }.filter(stays)
    inserted = flat.inserted.map { newPlaces[$0] }.filter(comes)
    let origins = Dictionary(
      oldRows.enumerated().map { (id($1), $0) }, uniquingKeysWith: { first, _ in first })
    let (changingPlaces, changed) = (Set(flat.moved.map(\.to)), Set(flat.updated))
    for (position, row) in newRows.enumerated() {
      guard let origin = origins[id(row)] else { continue }
      let (from, to) = (oldPlaces[origin], newPlaces[position])
      switch (stays(from), comes(to)) {
      case (true, true):
        if changingPlaces.contains(position) || staying[from.section] != to.section {
          moved.append(Move(from: from, to: to))
        }
        if changed.contains(position) { updated.append(to) }
      case (true, false): removed.append(from)
      case (false, true): inserted.append(to)
      case (false, false): break
      }
    }
    removed.sort()
    inserted.sort()
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

  private static func places<Key, Row>(of sections: [ListSection<Key, Row>]) -> [Place] {
    sections.enumerated().flatMap { section, content in
      content.rows.indices.map { Place(section: section, row: $0) }
    }
  }
}
