// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Entity {
  /// Whether every run compares the local and remote counts.
  ///
  /// A class with a deletion log needs this until the log alone shows what is deleted. A class with a filter needs this
  /// even if deletions need no search, because no listing shows a record that left the filter.
  package var countsEachTime: Bool {
    switch deletionStrategy {
    case .counting, .deletionLog, .cloudFunction: true
    case .softDelete: recordFilter != nil
    case .fullScan, .never: false
    }
  }
}
