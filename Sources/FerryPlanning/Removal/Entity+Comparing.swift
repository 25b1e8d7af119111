// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Entity {
  /// Whether its counts here and on the server are compared in every run.
  ///
  /// With a filter also where deletions need no looking for: a record that leaves the filter there is
  /// in no listing.
  package var countsEachTime: Bool {
    switch deletionStrategy {
    case .counting: true
    case .softDelete: recordFilter != nil
    case .fullScan, .never: false
    }
  }
}
