// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning

extension AbsenceCheck {
  /// The next query; nil when the conclusion stands.
  package var query: ParseQuery? {
    guard let wanted else { return nil }
    return ParseQuery(
      .oneOf("objectId", wanted.map(Value.string)), keys: [], limit: wanted.count, counts: counts)
  }
}
