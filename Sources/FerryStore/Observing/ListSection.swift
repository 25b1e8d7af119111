// Ferry: offline-first sync for Parse Server. MIT licence.

/// The rows of a list that belong together, such as the games of one league.
public struct ListSection<Key: Hashable & Sendable, Row: Sendable>: Sendable {
  /// The key that the rows have in common; each section of a list has another key.
  public var key: Key
  /// The rows, in the order of the list.
  public var rows: [Row]

  /// A section with its rows.
  public init(key: Key, rows: [Row]) {
    self.key = key
    self.rows = rows
  }

  /// The sections of a list, in the order in which their first rows come.
  ///
  /// - Parameters:
  ///   - rows: The list, best sorted by what makes the key.
  ///   - key: The key of a row.
  /// - Returns: The sections; none is empty.
  public static func sections(of rows: [Row], by key: (Row) -> Key) -> [ListSection] {
    var sections: [ListSection] = []
    var places: [Key: Int] = [:]
    for row in rows {
      let key = key(row)
      if let place = places[key] {
        sections[place].rows.append(row)
      } else {
        places[key] = sections.count
        sections.append(ListSection(key: key, rows: [row]))
      }
    }
    return sections
  }
}

extension ListSection: Equatable where Row: Equatable {}
