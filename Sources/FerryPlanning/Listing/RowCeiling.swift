// Ferry: offline-first sync for Parse Server. MIT licence.

/// The number of rows from which a server's list counts as endless.
///
/// A server that makes up rows could otherwise go on for ever. Each ceiling leaves room for rows that are
/// listed again because they change meanwhile.
package enum RowCeiling {
  private static let mostRepeated = 4
  private static let fewRows = 10_000

  /// The ceiling of a list whose rows the server has counted.
  ///
  /// - Parameters:
  ///   - count: How many rows the server counts from there on.
  ///   - rows: How many rows it has shown before.
  /// - Returns: The greatest number of rows that the list may have.
  package static func counted(_ count: Int, after rows: Int = 0) -> Int {
    rows + mostRepeated * min(max(count, 0), .max / 8) + fewRows
  }

  /// The ceiling of a list whose rows the server does not count.
  ///
  /// - Parameters:
  ///   - limit: The limit that the app sets.
  ///   - local: How many of the rows the device has already.
  /// - Returns: The greatest number of rows that the list may have.
  package static func uncounted(_ limit: Int, local: Int) -> Int { limit + mostRepeated * local }
}
