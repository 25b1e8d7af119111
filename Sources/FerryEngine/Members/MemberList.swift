// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// All members of an owner's relation, as the server showed them to this user.
struct MemberList {
  let owner: StoredVersion
  let members: [String]
  /// The members that this user could not read at an earlier list.
  let formerlyHidden: Set<String>
}
