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
    ] + accessEdits
  }

  private static let mine: AccessList = [.user("u1"): .readWrite]
  private static let shared: AccessList = [.user("u1"): .readWrite, .everyone: .read]

  /// Checks of edits of a known record's access list.
  private static var accessEdits: [StoreCheck] {
    [
      StoreCheck("an edit of an access list is unsent until it leads back") { store in
        let game = try store.importPrivateGame()
        for isFolded in [false, true] {
          try store.write { try $0.update("Game", game, [:], acl: shared) }
          if isFolded { try store.fold() }
          let entry = try store.syncRead { try $0.pendingEntries(of: "Game") }.first
          #expect(entry?.changed == [Fields.accessList])
          #expect(entry?.base == [Fields.accessList: mine.value])
          #expect(try store.game(game)?.acl == shared.value)
          try store.write { try $0.update("Game", game, [:], acl: mine) }
          #expect(try store.syncRead { try $0.pendingEntries(of: "Game") }.isEmpty)
        }
      },
      StoreCheck("a list that is open to everyone and no list are the same") { store in
        let game = try store.importPrivateGame(acl: .null)
        try store.write { try $0.update("Game", game, [:], acl: .open) }
        #expect(try store.game(game)?.acl == AccessList.open.value)
        #expect(try store.syncRead { try $0.pendingEntries(of: "Game") }.isEmpty)
        try store.write { try $0.update("Game", game, ["title": "x"], acl: mine) }
        let entry = try store.syncRead { try $0.pendingEntries(of: "Game") }.first
        #expect(entry?.changed == ["title", Fields.accessList])
        #expect(entry?.base[Fields.accessList] == AccessList.open.value)
      },
      StoreCheck("an edit of an access list is discarded") { store in
        let game = try store.importPrivateGame()
        let before = try store.game(game)
        for isFolded in [false, true] {
          try store.write { try $0.update("Game", game, ["title": "x"], acl: shared) }
          if isFolded { try store.fold() }
          #expect(try store.write { try $0.discardChange(of: "Game", localID: game) })
          #expect(try store.game(game) == before)
          #expect(try store.syncRead { try $0.pendingEntries(of: "Game") }.isEmpty)
        }
      },
      StoreCheck("an edit of an access list is undone and redone") { store in
        let game = try store.importPrivateGame()
        try store.write { try $0.update("Game", game, [:], acl: shared) }
        let last = try store.read { try $0.undoableTransaction() }
        let edits = try store.read { db in try last.map { try db.edits(of: $0) } ?? [] }
        #expect(edits.map(\.before) == [[Fields.accessList: mine.value]])
        #expect(edits.map(\.after) == [[Fields.accessList: shared.value]])
        try store.undo()
        #expect(try store.game(game)?.acl == mine.value)
        try store.redo()
        #expect(try store.game(game)?.acl == shared.value)
      },
      StoreCheck("an undo keeps the first access list once the create has left") { store in
        let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
        try store.write { try $0.update(game, [:], acl: mine) }
        try store.fold()
        try store.begin(game)
        #expect(try store.undo()?.kept.map(\.reason) == [.changedSince])
        #expect(try store.game(game.localID)?.acl == mine.value)
      },
      StoreCheck("an undo keeps an access list that a sync has written since") { store in
        let game = try store.importPrivateGame()
        try store.write { try $0.update("Game", game, [:], acl: shared) }
        try store.sync(.full) { db in
          try db.fold()
          try db.setAccessList(AccessList.publicRead.value, of: "Game", localID: game)
        }
        #expect(try store.undo()?.kept.map(\.reason) == [.changedSince])
        #expect(try store.game(game)?.acl == AccessList.publicRead.value)
      },
      StoreCheck("a deleted row comes back with the edit of its access list") { store in
        let game = try store.importPrivateGame()
        for isFolded in [false, true] {
          try store.write { try $0.update("Game", game, [:], acl: shared) }
          if isFolded { try store.fold() }
          try store.write { try $0.delete("Game", game) }
          if isFolded { try store.fold() }
          try store.undo()
          #expect(try store.game(game)?.acl == shared.value)
          let entry = try store.syncRead { try $0.pendingEntries(of: "Game") }.first
          #expect(entry?.kind == .update && entry?.changed == [Fields.accessList])
          #expect(entry?.base == [Fields.accessList: mine.value])
          try store.fold()
          #expect(try store.game(game)?.acl == shared.value)
          try store.write { try $0.delete("Game", game) }
          #expect(try store.write { try $0.discardChange(of: "Game", localID: game) })
          try store.fold()
          #expect(try store.game(game)?.acl == mine.value)
          #expect(try store.syncRead { try $0.pendingEntries(of: "Game") }.isEmpty)
        }
      },
      StoreCheck("an access list that names nobody is refused, and the row stays as it was") {
        store in
        let game = try store.importPrivateGame()
        let before = try store.game(game)
        for list in [AccessList(), [.role(""): .read]] {
          expectStoreError(.invalidAccessList) {
            try store.write { try $0.update("Game", game, ["title": "x"], acl: list) }
          }
        }
        expectStoreError(.unknownField) {
          try store.write { try $0.update("Game", game, [Fields.accessList: mine.value]) }
        }
        #expect(try store.game(game) == before)
      },
    ]
  }
}

extension SyncStore {
  /// A game of the server with an access list.
  fileprivate func importPrivateGame(
    acl: Value = ["u1": ["read": true, "write": true]]
  ) throws -> LocalID {
    var row = StoreConformance.importRow("Game", "private", ["title": "Final"])
    row.acl = acl
    return try importRows("Game", [row])[0]
  }
}
