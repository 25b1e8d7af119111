// Ferry: offline-first sync for Parse Server. MIT licence.

extension Schema {
  /// Whether the relation of a class of members is declared, and its classes are registered.
  func membershipProblem(of entity: Entity) -> SchemaError.Problem? {
    guard let membership = entity.membership else { return nil }
    let (owner, field, member) = (membership.ownerClass, membership.field, membership.memberClass)
    let head = "\(entity.name) declares the members of \(owner).\(field), and"
    let fault: String? =
      if self.entity(owner) == nil {
        "the class \(owner) is not registered; add it."
      } else if self.entity(member) == nil {
        "the class \(member) is not registered; add it."
      } else if self.entity(owner)?.field(field)?.type != .relation(to: member) {
        "\(owner) declares no field \(field) that is a relation to \(member); declare it, or correct the names."
      } else if let twin = entities.first(where: {
        $0.membership == membership && $0.name != entity.name
      }) {
        "so does \(twin.name); keep one of them."
      } else if entity.fields.map(\.name) != [Membership.owner, Membership.member] {
        "a member has no other fields than \(Membership.owner) and \(Membership.member); take the others away."
      } else if entity.recordFilter != nil || entity.serializer != nil
        || entity.defaultAccess != .server
      {
        "members have no filter, no wire format and no access list of their own; take it away."
      } else {
        nil
      }
    return fault.map { entity.problem(.membership, "\(head) \($0)") }
  }
}
