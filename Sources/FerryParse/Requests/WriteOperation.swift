// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

/// One write, alone or as part of a batch.
package enum WriteOperation: Sendable, Equatable {
  case create(className: String, body: [String: Value])
  case update(className: String, objectID: String, body: [String: Value])
  case delete(className: String, objectID: String)
  /// Adds a member to a record's relation.
  case addMember(Membership, MemberPair)
  /// Removes a member from a record's relation.
  case removeMember(Membership, MemberPair)

  package var className: String {
    switch self {
    case .create(let name, _), .update(let name, _, _), .delete(let name, _): name
    case .addMember(let membership, _), .removeMember(let membership, _): membership.ownerClass
    }
  }

  /// The id of the written object; nil for a create if the server chooses the id, and for a member, because each of an
  /// owner's members is written for itself.
  package var objectID: String? {
    switch self {
    case .update(_, let objectID, _), .delete(_, let objectID): objectID
    case .create(_, let body):
      if case .string(let objectID)? = body["objectId"] { objectID } else { nil }
    case .addMember, .removeMember: nil
    }
  }

  package var method: HTTPMethod {
    switch self {
    case .create: .post
    case .update, .addMember, .removeMember: .put
    case .delete: .delete
    }
  }

  package func path() throws(RequestError) -> ParsePath {
    switch self {
    case .create(let name, _): try ParsePath(className: name)
    case .update(let name, let objectID, _), .delete(let name, let objectID):
      try ParsePath(className: name, objectID: objectID)
    case .addMember(let membership, let pair), .removeMember(let membership, let pair):
      try ParsePath(className: membership.ownerClass, objectID: pair.owner)
    }
  }

  package var body: [String: Value]? {
    switch self {
    case .create(_, let body), .update(_, _, let body): body
    case .addMember(let membership, let pair):
      [membership.field: ParseOperation.addRelation([membership.member(of: pair)]).wire]
    case .removeMember(let membership, let pair):
      [membership.field: ParseOperation.removeRelation([membership.member(of: pair)]).wire]
    case .delete: nil
    }
  }
}
