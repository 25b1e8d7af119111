// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

/// Asks which of some pairs are members of their owners' relations.
struct MemberLookup {
  let context: ClassContext
  let membership: Membership

  /// The server's answer about pairs.
  ///
  /// Of a pair in none of the sets, the owner is not shown, or may not be asked for its members.
  struct Answer {
    var present = Set<MemberPair>()
    /// Pairs that the server does not have: it shows both records, and not the pair.
    var absent = Set<MemberPair>()
    /// Pairs whose members are not shown, although the owner may be asked.
    var hidden = Set<MemberPair>()
  }

  /// The pairs that the server shows, as records of the class of pairs.
  func records(_ objectIDs: [String]) throws(ClassError) -> [ServerRecord] {
    let pairs = objectIDs.compactMap(MemberPair.init(objectID:))
    let present = try answer(about: pairs).present
    return pairs.filter(present.contains).map(record)
  }

  /// Asks for pairs, for their owners and for their members.
  ///
  /// The master key would be shown the members of an owner that is gone, so the owners come first. The members come before
  /// the pairs: a member that becomes visible in between proves nothing about its pair.
  func answer(about pairs: some Sequence<MemberPair>) throws(ClassError) -> Answer {
    let asked = Dictionary(grouping: pairs, by: \.owner)
    guard !asked.isEmpty else { return Answer() }
    let owners = try RecordLookup.shown(
      asked.keys.sorted(), of: membership.ownerClass, in: context.stage)
    let members = Set(asked.filter { owners.contains($0.key) }.values.joined().map(\.member))
    let readable = try RecordLookup.shown(
      members.sorted(), of: membership.memberClass, in: context.stage)
    var answer = Answer()
    answer.present = try present(asked.filter { owners.contains($0.key) })
    let silent = owners.subtracting(answer.present.map(\.owner))
    let open = owners.subtracting(silent).union(try askable(silent.sorted()))
    for (owner, pairs) in asked where open.contains(owner) {
      for pair in pairs where !answer.present.contains(pair) {
        if readable.contains(pair.member) {
          answer.absent.insert(pair)
        } else {
          answer.hidden.insert(pair)
        }
      }
    }
    return answer
  }

  private func present(_ asked: [String: [MemberPair]]) throws(ClassError) -> Set<MemberPair> {
    var owners: [String] = []
    var listings: [MemberListing] = []
    for (owner, pairs) in asked.sorted(by: { $0.key < $1.key }) {
      for chunk in pairs.map(\.member).chunks(of: RecordLookup.chunk) {
        let pointer = Pointer(className: membership.ownerClass, objectID: owner)
        owners.append(owner)
        listings.append(
          MemberListing(
            .all([
              .member(of: pointer, field: membership.field),
              .oneOf("objectId", chunk.map(Value.string)),
            ]), limit: chunk.count))
      }
    }
    var present = Set<MemberPair>()
    for (owner, members) in zip(
      owners,
      try MemberQueries(context: context, membership: membership)
        .whole(&listings).results)
    {
      switch members {
      case .success(let members):
        present.formUnion(members.map { MemberPair(owner: owner, member: $0) })
      case .failure(let failure): throw .failsClass(failure)
      }
    }
    return present
  }

  /// The owners that may be asked for their members: each of them has to be readable by its id.
  private func askable(_ owners: [String]) throws(ClassError) -> [String] {
    guard !owners.isEmpty else { return [] }
    let queries = owners.map { owner in
      ParseQuery(.equal("objectId", .string(owner)), keys: [], limit: 1)
    }
    let pages = try MemberQueries(context: context, membership: membership)
      .pages(queries, of: membership.ownerClass).results
    return zip(owners, pages).compactMap { owner, page in
      (try? page.get())?.rowCount == 1 ? owner : nil
    }
  }

  private func record(of pair: MemberPair) -> ServerRecord {
    ServerRecord(pair, of: membership, in: context.entity)
  }
}

extension ServerRecord {
  /// A pair as a record of the class of pairs.
  init(_ pair: MemberPair, of membership: Membership, in entity: Entity) {
    let fields = membership.fields(of: pair)
    self.init(
      objectID: pair.objectID, createdAt: .unknownPairTime,
      version: ServerVersion(rawValue: Timestamp.unknownPairTime.description),
      values: entity.fields.map { fields[$0.name] ?? .null })
  }
}

extension Timestamp {
  /// When a pair came to be, which no server says.
  static var unknownPairTime: Timestamp { Timestamp(milliseconds: 0) }
}
