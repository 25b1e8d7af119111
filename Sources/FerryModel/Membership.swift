// Ferry: offline-first sync for Parse Server. MIT licence.

/// The relation whose members are the rows of a class: `Entity.init(membersOf:in:from:name:table:)`.
///
/// ```swift
/// let members = Entity(membersOf: "players", in: "Team", from: "Player")
/// print(members.membership?.ownerClass ?? "")
/// ```
public struct Membership: Sendable, Hashable {
  /// The class with the relation field.
  public let ownerClass: String
  /// The relation field, by its name on the server.
  public let field: String
  /// The class of the members.
  public let memberClass: String

  /// The field of a row that points to the owner.
  package static let owner = "owner"
  /// The field of a row that points to the member.
  package static let member = "member"
}

extension Entity {
  /// Whether the server has the class.
  package var isOnServer: Bool { membership == nil }

  /// Whether a sync lists the server's records of the class.
  package var isListed: Bool { !isOnDemand && membership == nil }

  /// Declares the members of a relation as a table of their own, with a row for each member of each owner.
  ///
  /// ```swift
  /// let schema = Schema {
  ///   Entity("Team") {
  ///     Field("name", .text)
  ///     Field("players", .relation(to: "Player"))
  ///   }
  ///   Entity("Player") {
  ///     Field("name", .text)
  ///   }
  ///   Entity(membersOf: "players", in: "Team", from: "Player")
  /// }
  /// ```
  ///
  /// Use it for each relation whose members the app reads or changes. A relation without it costs no request. The class is
  /// `Team_players`, unless another name is given. Its fields `owner` and `member` are pointers. An insert adds a member,
  /// and a delete removes one; `StoreTransaction` has `add(_:to:of:)` and `remove(_:from:of:)` for both. A row cannot be
  /// changed: the sync parks such an edit.
  ///
  /// A sync lists the members of each owner that changed on the server, and sends the app's additions and removals once
  /// owner and member are there. Two devices that add different members keep both.
  ///
  /// - Parameters:
  ///   - field: The relation field, which the owner's class declares.
  ///   - owner: The class with that field; it must be registered.
  ///   - member: The class of the members; it must be registered.
  ///   - name: The name of this class in the store, if it differs from `Team_players`. The server has no such class.
  ///   - table: The name of the local table, if it differs from the name.
  public init(
    membersOf field: String, in owner: String, from member: String, name: String? = nil,
    table: String? = nil
  ) {
    self.init(
      name ?? "\(owner)_\(field)", table: table,
      fields: [
        Field(Membership.owner, .pointer(to: owner)),
        Field(Membership.member, .pointer(to: member)),
      ])
    membership = Membership(ownerClass: owner, field: field, memberClass: member)
    indexes = [Index(Membership.owner), Index(Membership.member)]
  }
}
