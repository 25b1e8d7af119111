// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Who else may read a note. Its owner always may, and changes it alone.
extension Notebook {
  /// The access list of a note that `everyone`, the user of an id, or `nobody` else may read.
  func list(sharedWith reader: String) throws(Problem) -> AccessList {
    guard let user else {
      throw Problem("Nobody is logged in, so nothing was shared. Log in first.")
    }
    var list: AccessList = [.user(user.objectID): .readWrite]
    switch reader {
    case "nobody", user.objectID: break
    case "everyone": list[.everyone] = .read
    default: list[.user(reader)] = .read
    }
    return list
  }
}
