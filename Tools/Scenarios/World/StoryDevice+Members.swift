// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryPlanning
import FerryStore
import LoopbackParse

extension StoryDevice {
  /// Adds members to a relation in one transaction, or removes them.
  func relate(_ relating: Relating) throws {
    try store.write { db in
      let owner = try self.row(relating.owner, db).reference
      for name in relating.members {
        let member = try self.row(name, db).reference
        if relating.adds {
          try db.add(member, to: relating.field, of: owner)
        } else {
          try db.remove(member, from: relating.field, of: owner)
        }
      }
    }
  }
}

extension StoryClient {
  /// Adds members to a relation by one request, or removes them.
  func relate(_ relating: Relating) throws {
    let (className, id) = try row(relating.owner)
    let members = try relating.members.map { name in
      let (className, id) = try row(name)
      return LoopbackValue.pointer(className, id)
    }
    let operation: LoopbackValue = [
      "__op": relating.adds ? "AddRelation" : "RemoveRelation", "objects": .array(members),
    ]
    _ = try send(
      .put, "/classes/\(className)/\(id)", .object([relating.field: operation]))
  }

  /// The ids of the members of a record's relation.
  func members(of id: String, _ membership: Membership) throws -> [String] {
    let answer = try send(
      .post, "/classes/\(membership.memberClass)",
      [
        "_method": "GET", "limit": 10000,
        "where": [
          "$relatedTo": [
            "object": .pointer(membership.ownerClass, id), "key": .string(membership.field),
          ]
        ],
      ])
    return answer["results"]?.array?.compactMap { $0["objectId"]?.string } ?? []
  }
}
