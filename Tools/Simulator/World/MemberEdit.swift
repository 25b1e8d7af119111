// Ferry: offline-first sync for Parse Server. MIT licence.

/// A change of a relation, by an app on its device or by another client on the server.
public struct MemberEdit: Hashable, Sendable {
  /// The name of the row with the relation.
  public var owner: String
  /// The name of the member.
  public var member: String
  /// Whether it adds the member; else it removes it.
  public var adds: Bool

  /// A change of a relation.
  public init(owner: String, member: String, adds: Bool) {
    (self.owner, self.member, self.adds) = (owner, member, adds)
  }

  /// As a story writes it.
  var text: String {
    adds
      ? "add \(member) to \(owner).\(Members.field)"
      : "remove \(member) from \(owner).\(Members.field)"
  }
}
