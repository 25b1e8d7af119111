// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryStore

extension ListDifference {
  /// The list that a list view comes to from an old one, as it follows the difference to a new one.
  package func applied<Row>(to old: [Row], taking new: [Row]) -> [Row] {
    var rows = old
    for place in (removed + moved.map(\.from)).sorted(by: >) { rows.remove(at: place) }
    for place in (inserted + moved.map(\.to)).sorted() { rows.insert(new[place], at: place) }
    for place in updated { rows[place] = new[place] }
    return rows
  }
}
