// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

extension WritePreparation {
  /// The write of a member: the server changes the relation of the owner.
  func prepare(
    _ entry: OutboxEntry, of membership: Membership, record: Record?
  ) -> Result {
    switch entry.kind {
    case .create:
      guard let record else { return .nothing }
      guard let pair = MemberPair(record.fields), pair.isNameable(in: membership) else {
        return .refused(.unusablePair(record.fields, of: entry.key))
      }
      // A pair has no access list. The list of its row counts as sent: otherwise it would wait for ever.
      let sent = record.fields.including(accessList: record.acl)
      return .write(write(entry, .addMember(membership, pair), sent: sent, addsMember: true))
    case .delete:
      guard let pair = MemberPair(entry.base) ?? MemberPair(objectID: entry.objectID),
        pair.isNameable(in: membership)
      else { return .refused(.unusablePair(entry.base, of: entry.key)) }
      return .write(write(entry, .removeMember(membership, pair), sent: Fields()))
    case .update: return .refused(.changedPair)
    case .deleteAfterCreate: return .nothing
    }
  }
}

extension MemberPair {
  /// Whether a server may have records of both ids.
  func isNameable(in membership: Membership) -> Bool {
    membership.owner(of: self).isNameable && membership.member(of: self).isNameable
  }
}

extension Pointer {
  /// Whether a server may have a record of the id.
  ///
  /// The server answers an error to other ids, and takes the error for its own: the change would be sent again and again.
  fileprivate var isNameable: Bool {
    (try? ParsePath(className: className, objectID: objectID)) != nil
  }
}

extension Refusal {
  /// A field of a pair's row names no record.
  fileprivate static func unusablePair(_ fields: Fields, of row: RecordKey) -> Refusal {
    let faults = [Membership.owner, Membership.member].compactMap { field in
      fault(of: fields[field]).map { "\(field) \($0)" }
    }
    return Refusal(
      reason: .unserializable,
      message:
        "Row \(row.localID) of \(row.className) is no pair of two records: its field "
        + "\(faults.joined(separator: ", and its field ")). The row is kept here and not sent, and the rows beside it go on. "
        + "Delete it, and insert another one with the object ids of both records.")
  }

  /// The fault of a field of a pair's row; nil if it may name a record.
  private static func fault(of value: Value?) -> String? {
    switch value {
    case .pointer(let pointer)?:
      if pointer.isNameable { return nil }
      return pointer.objectID.isEmpty
        ? "is an empty text"
        : "holds \(pointer.objectID.debugDescription), which no record can have as its id"
    case nil, .null?: return "has no value"
    default: return "holds no text"
    }
  }

  fileprivate static var changedPair: Refusal {
    Refusal(
      reason: .unserializable,
      message:
        "The server knows members, and no changes of them, so the edit is kept here and not sent. Discard it; then "
        + "delete the row, and insert another one.")
  }
}
