// Ferry: offline-first sync for Parse Server. MIT licence.

/// A record and a member of its relation, by their object ids.
package struct MemberPair: Hashable, Sendable {
  package var owner: String
  package var member: String

  package init(owner: String, member: String) {
    self.owner = owner
    self.member = member
  }

  /// Reads a row's pointers; nil if one of them is missing.
  package init?(_ fields: Fields) {
    guard case .pointer(let owner)? = fields[Membership.owner],
      case .pointer(let member)? = fields[Membership.member]
    else { return nil }
    self.init(owner: owner.objectID, member: member.objectID)
  }

  /// Reads `objectID`.
  package init?(objectID: String) {
    guard let colon = objectID.firstIndex(of: ":") else { return nil }
    owner = String(objectID[..<colon]).replacing("%3A", with: ":").replacing("%25", with: "%")
    member = String(objectID[objectID.index(after: colon)...])
  }

  /// The id of the pair's row once the server has the pair: both ids, so that each device finds the same one.
  ///
  /// An app may choose ids with a colon, so it is written otherwise in the owner's.
  package var objectID: String {
    "\(owner.replacing("%", with: "%25").replacing(":", with: "%3A")):\(member)"
  }
}

extension Membership {
  /// The fields of a pair's row.
  package func fields(of pair: MemberPair) -> Fields {
    Fields([
      Self.owner: .pointer(owner(of: pair)), Self.member: .pointer(member(of: pair)),
    ])
  }

  package func owner(of pair: MemberPair) -> Pointer {
    Pointer(className: ownerClass, objectID: pair.owner)
  }

  package func member(of pair: MemberPair) -> Pointer {
    Pointer(className: memberClass, objectID: pair.member)
  }
}
