// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse

/// Why a staged page cannot be imported.
enum PageDamage: Error, CustomStringConvertible {
  /// The file is not what was downloaded.
  case altered(StagedPageDamage)
  /// The downloaded bytes are no page.
  case unreadable(PageError)

  /// What happened, as a sentence.
  var description: String {
    switch self {
    case .altered(let damage): damage.description
    case .unreadable(let error): error.message
    }
  }
}
