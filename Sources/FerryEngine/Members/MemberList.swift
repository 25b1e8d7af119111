// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// All members of an owner's relation, as the server showed them to this user.
struct MemberList {
  let owner: StoredVersion
  let members: [String]
}
