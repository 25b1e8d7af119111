// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  /// Checks of the access lists that an app gives to new rows.
  static var access: [StoreCheck] {
    [
      StoreCheck("a new row has the access list that the app gives, and no other") { store in
        let (plain, open) = try store.write { db in
          (
            try db.insert("Club", ["name": "A"]),
            try db.insert("Club", ["name": "B"], objectID: "club0000001", acl: .publicRead)
          )
        }
        let rows = try store.read { db in
          try [plain, open].map { try db.record(of: "Club", localID: $0.localID)?.acl }
        }
        #expect(rows == [.null, ["*": ["read": true]]])
        #expect(open.objectID == "club0000001")
        let entries = try store.syncRead { try $0.pendingEntries(of: nil) }
        #expect(entries.map(\.kind) == [.create, .create])
      },
      StoreCheck("an access list comes back with a row whose insert is undone and redone") {
        store in
        let list: AccessList = [.user("u1"): .readWrite, .role("Editors"): .read]
        let club = try store.write { try $0.insert("Club", ["name": "A"], acl: list) }
        try store.undo()
        let undone = try store.read { try $0.record(of: "Club", localID: club.localID) }
        #expect(undone == nil)
        try store.redo()
        let again = try store.read { try $0.record(of: "Club", localID: club.localID) }
        #expect(again?.acl == list.value)
      },
      StoreCheck("an access list that names nobody is refused, and nothing is inserted") { store in
        for list in [AccessList(), [.role(""): .read], [.user("*"): .write]] {
          expectStoreError(.invalidAccessList) {
            try store.write { try $0.insert("Club", ["name": "A"], acl: list) }
          }
        }
        let count = try store.read { try $0.count(Query("Club")) }
        #expect(count == 0)
      },
    ]
  }
}
