// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

/// Asks which of some pairs are members of their owners' relations.
struct MemberLookup {
  let context: ClassContext
  let membership: Membership

  /// The pairs that the server shows, as records of the class of pairs.
  ///
  /// A member that this user may not read, or whose record is gone, does not appear. Neither does one of an owner that is
  /// gone: the master key would be shown its members.
  func records(_ objectIDs: [String]) throws(ClassError) -> [ServerRecord] {
    let pairs = Dictionary(grouping: objectIDs.compactMap(MemberPair.init(objectID:)), by: \.owner)
    var found: [ServerRecord] = []
    let present = try owners(among: pairs.keys.sorted())
    for (owner, pairs) in pairs.sorted(by: { $0.key < $1.key }) where present.contains(owner) {
      for chunk in pairs.map(\.member).chunks(of: RecordLookup.chunk) {
        try context.checkCancellation()
        let shown = try members(of: owner, among: chunk)
        found += shown.map { record(of: MemberPair(owner: owner, member: $0)) }
      }
    }
    return found
  }

  private func owners(among ids: [String]) throws(ClassError) -> Set<String> {
    let entity = Entity(membership.ownerClass, fields: [])
    let lookup = RecordLookup(context: ClassContext(entity, in: context.stage))
    return Set(try lookup.records(objectIDs: ids, keys: []).map(\.objectID))
  }

  private func members(of owner: String, among ids: [String]) throws(ClassError) -> [String] {
    let owner = Pointer(className: membership.ownerClass, objectID: owner)
    let constraint = ParseConstraint.all([
      .member(of: owner, field: membership.field), .oneOf("objectId", ids.map(Value.string)),
    ])
    let members = Entity(membership.memberClass, fields: [])
    var listing = MemberListing(constraint, limit: ids.count)
    var reader = PageReader(members)
    while let query = listing.nextQuery {
      try listing.absorb(ClassContext(members, in: context.stage).page(query, by: &reader))
    }
    return listing.members
  }

  private func record(of pair: MemberPair) -> ServerRecord {
    let fields = membership.fields(of: pair)
    return ServerRecord(
      objectID: pair.objectID, createdAt: .unknownPairTime,
      version: ServerVersion(rawValue: Timestamp.unknownPairTime.description),
      values: context.entity.fields.map { fields[$0.name] ?? .null })
  }
}

extension Timestamp {
  /// When a pair came to be, which no server says.
  static var unknownPairTime: Timestamp { Timestamp(milliseconds: 0) }
}
