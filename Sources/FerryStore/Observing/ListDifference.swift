// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The changes that turn one list of rows into another, as a list view animates them.
///
/// Take the removed and moved rows out of the old list, the last position first. Put the inserted and moved rows in
/// at their new positions, the first position first. Then show the updated rows anew.
public struct ListDifference: Sendable, Equatable {
  /// A row that stays, at another place among those that stay.
  public struct Move: Sendable, Hashable {
    /// Its position in the old list.
    public var from: Int
    /// Its position in the new list.
    public var to: Int

    /// A move from one position to another.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The positions in the old list of rows that are gone, ascending.
  public var removed: [Int]
  /// The positions in the new list of rows that are new, ascending.
  public var inserted: [Int]
  /// The rows that change places, by their new positions: as few as possible.
  public var moved: [Move]
  /// The positions in the new list of rows whose content changed, ascending; a moved row may be among them.
  public var updated: [Int]

  /// Whether both lists are the same.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
  }

  /// Compares two lists.
  ///
  /// It takes time for each row of both lists, and more only for rows that change places.
  ///
  /// - Parameters:
  ///   - old: The list that the app shows.
  ///   - new: The list that it will show.
  ///   - id: The local id of a row; each is in a list once.
  public init<Row: Equatable>(
    from old: [Row], to new: [Row], identifiedBy id: (Row) -> LocalID
  ) {
    let newIDs = new.map(id)
    let places = Dictionary(
      old.enumerated().map { (id($1), $0) }, uniquingKeysWith: { first, _ in first })
    let present = Set(newIDs)
    removed = old.indices.filter { !present.contains(id(old[$0])) }
    inserted = newIDs.indices.filter { places[newIDs[$0]] == nil }
    let staying = newIDs.enumerated().compactMap { to, id in
      places[id].map { Move(from: $0, to: to) }
    }
    updated = staying.filter { old[$0.from] != new[$0.to] }.map(\.to)
    let still = Self.longestRise(staying.map(\.from))
    moved = staying.indices.filter { !still.contains($0) }.map { staying[$0] }
  }

  /// The places of a longest rising sequence among numbers: rows at these places need not move.
  private static func longestRise(_ numbers: [Int]) -> Set<Int> {
    /// For each length, the place with the least last number of a rising sequence of that length.
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for place in numbers.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var rise: Set<Int> = []
    var place = ends.last ?? -1
    while place >= 0 {
      rise.insert(place)
      place = previous[place]
    }
    return rise
  }
}
