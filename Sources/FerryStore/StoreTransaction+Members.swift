// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension StoreReader {
  /// A query for the members of a record's relation.
  ///
  /// ```swift
  /// let names = try store.read { db in
  ///   guard let team = try db.records(of: "Team").first else { return [] as [Value] }
  ///   return try db.records(db.query(membersOf: team.reference, "players")).map { $0["name"] }
  /// }
  /// ```
  ///
  /// It finds the rows of members that this store has, with those that the app added, and without those that it removed.
  /// Further conditions, an order and a limit can be set on it.
  ///
  /// - Parameters:
  ///   - owner: The record with the relation.
  ///   - field: The relation field.
  /// - Returns: A query of the class of the members.
  /// - Throws: `StoreError` with code `unknownField` if the schema has no class for the members of this relation, and with
  ///   `noSuchRecord` if the owner has no row.
  public func query(membersOf owner: RecordReference, _ field: String) throws(StoreError) -> Query {
    let (pairs, membership) = try pairs(of: owner, field)
    let ids = Query(
      pairs.name,
      where: .field(Membership.owner, .equal, .pointer(try present(owner).reference.pointer)))
    return Query(membership.memberClass, where: .among("objectId", ids, of: Membership.member))
  }

  /// The class of the members of a relation.
  fileprivate func pairs(
    of owner: RecordReference, _ field: String
  ) throws(StoreError) -> (Entity, Membership) {
    for entity in schema.entities {
      guard let membership = entity.membership, membership.ownerClass == owner.className,
        membership.field == field
      else { continue }
      return (entity, membership)
    }
    throw StoreError(
      .unknownField,
      "The schema has no class for the members of \(owner.className).\(field), so nothing was read or written. Add "
        + "Entity(membersOf: \"\(field)\", in: \"\(owner.className)\", from: …) to \(schema.name).")
  }

  /// The row of a reference as it is now: the server may have replaced its object id.
  fileprivate func present(_ reference: RecordReference) throws(StoreError) -> Record {
    if let row = try record(of: reference.className, localID: reference.localID) { return row }
    throw StoreError(
      .noSuchRecord,
      "There is no row \(reference.localID) of \(reference.className), so nothing was read or written. It may have been "
        + "deleted since.")
  }

  /// The rows of a pair: one, or more if other programs inserted it again.
  fileprivate func rows(
    of owner: Pointer, _ member: Pointer, in pairs: Entity
  ) throws(StoreError) -> [Record] {
    try records(
      Query(
        pairs.name,
        where: .field(Membership.owner, .equal, .pointer(owner))
          && .field(Membership.member, .equal, .pointer(member))))
  }
}

extension StoreTransaction {
  /// Adds a record to the relation of another one.
  ///
  /// ```swift
  /// try store.write { db in
  ///   let team = try db.insert("Team", ["name": "North"])
  ///   let player = try db.insert("Player", ["name": "Ada"])
  ///   try db.add(player, to: "players", of: team)
  /// }
  /// ```
  ///
  /// It inserts a row of the class of members, if there is none. The next sync sends it once the server has both records.
  ///
  /// - Parameters:
  ///   - member: The new member.
  ///   - field: The relation field.
  ///   - owner: The record with the relation.
  /// - Returns: Whether the record was no member before.
  /// - Throws: `StoreError` with code `unknownField` if the schema has no class for the members of this relation, with
  ///   `wrongType` for a record of another class, and with `noSuchRecord` if a row is missing.
  @discardableResult
  public func add(
    _ member: RecordReference, to field: String, of owner: RecordReference
  ) throws(StoreError) -> Bool {
    let (pairs, membership) = try pairs(of: owner, field)
    try check(member, membership)
    let (from, to) = (try present(owner).reference.pointer, try present(member).reference.pointer)
    guard try rows(of: from, to, in: pairs).isEmpty else { return false }
    try insert(
      pairs.name, [Membership.owner: .pointer(from), Membership.member: .pointer(to)])
    return true
  }

  /// Removes a record from the relation of another one.
  ///
  /// ```swift
  /// try store.write { db in
  ///   guard let team = try db.records(of: "Team").first else { return }
  ///   for player in try db.records(db.query(membersOf: team.reference, "players")) {
  ///     try db.remove(player.reference, from: "players", of: team.reference)
  ///   }
  /// }
  /// ```
  ///
  /// It deletes the row of the class of members; both records stay. The next sync sends the removal.
  ///
  /// - Parameters:
  ///   - member: The member.
  ///   - field: The relation field.
  ///   - owner: The record with the relation.
  /// - Returns: Whether the record was a member before.
  /// - Throws: `StoreError` as `add(_:to:of:)`.
  @discardableResult
  public func remove(
    _ member: RecordReference, from field: String, of owner: RecordReference
  ) throws(StoreError) -> Bool {
    let (pairs, membership) = try pairs(of: owner, field)
    try check(member, membership)
    let rows = try rows(
      of: present(owner).reference.pointer, present(member).reference.pointer, in: pairs)
    for row in rows { try delete(row.reference) }
    return !rows.isEmpty
  }

  private func check(
    _ member: RecordReference, _ membership: Membership
  ) throws(StoreError) {
    guard member.className != membership.memberClass else { return }
    throw StoreError(
      .wrongType,
      "The members of \(membership.ownerClass).\(membership.field) are records of \(membership.memberClass), and this one is "
        + "of \(member.className), so nothing was written.")
  }
}
