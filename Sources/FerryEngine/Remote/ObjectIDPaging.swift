// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

/// Pages through records in the order of their object ids, to the empty page.
struct ObjectIDPaging {
  /// The last id that was shown.
  private var last: String?

  /// The constraint of the next page: the records behind those already shown.
  func rest(of constraint: ParseConstraint) -> ParseConstraint {
    guard let last else { return constraint }
    return .all([constraint, .compare("objectId", .greaterThan, .string(last))])
  }

  /// Goes on behind a page that has rows.
  ///
  /// - Throws: `ClassError` for a page that does not lead on. Its rest would seem to be gone, or the
  ///   same page would come for ever.
  mutating func take(_ page: ParsePage) throws(ClassError) {
    guard let next = page.lastObjectID, next != last else {
      throw ClassError(ParseError(status: 200, meaning: .malformed))
    }
    last = next
  }
}
