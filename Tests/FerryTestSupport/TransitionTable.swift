// Ferry: offline-first sync for Parse Server. MIT licence.

/// The table of transitions in the documentation of a state machine.
///
/// A row of it is `/// | from, from | `event`: remark | to, to |`.
public enum TransitionTable {
  /// The edges of the table in a file of the package: from, event, to.
  public static func edges(in path: String) throws -> Set<[String]> {
    let table = try DocumentedTable(in: path, splitting: [0, 2])
    return Set(
      table.rows.compactMap { row in
        guard row.count == 3, let event = row[1].firstMatch(of: /^`(\w+)`/)?.1 else { return nil }
        return [row[0], String(event), row[2]]
      })
  }
}
