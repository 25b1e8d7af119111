// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

// The things that happen before the world comes to rest.
extension SharedFieldsWorld {
  func step() async throws {
    let name = pick(Self.devices)
    switch number(below: 12) {
    case 0..<4: try edit(on: name)
    case 4: try await attach(on: name)
    case 5, 6: try await editAsClient()
    default:
      let result = try await ferry(name, "sync", "--timeout", "5")
      note("\(name) synced: \(result.code) \(result.errors.suffix(200))")
    }
  }

  // MARK: On a device

  /// An app edits a board in its store.
  func edit(on name: String) throws {
    let store = try store(name)
    guard number(below: 8) > 0 else { return try insert(on: name, store) }
    let rows = try store.read { try $0.records(Query("Board")) }
    let players = try store.read { try $0.records(Query("Player")) }
    guard !rows.isEmpty, !players.isEmpty else { return }
    let board = pick(rows)
    guard case .string(let title) = board["title"] else { return }
    switch number(below: 4) {
    case 0: try relate(board, pick(players), title, on: name, store)
    case 1: try tag(board, title, on: name, store)
    default: try add(to: board, title, on: name, store)
    }
  }

  private func insert(on name: String, _ store: SQLiteStore) throws {
    let title = state.withLock { "\(name)\($0.boards.count)" }
    try store.write { _ = try $0.insert("Board", ["title": .string(title), "count": 3]) }
    state.withLock { $0.boards[title] = Board(count: 3) }
    note("\(name) inserts \(title)")
  }

  /// By the call, or by plain SQL.
  private func add(
    to board: Record, _ title: String, on name: String, _ store: SQLiteStore
  ) throws {
    let amount = pick([1, 1, 2, -1] as [Int64])
    try store.add(amount, toCountOf: board)
    state.withLock { $0.boards[title]?.count += amount }
    note("\(name) adds \(amount) to \(title)")
  }

  private func tag(
    _ board: Record, _ title: String, on name: String, _ store: SQLiteStore
  ) throws {
    let element = "\(name)\(number(below: 3))"
    let isThere = state.withLock { $0.boards[title]?.tags.contains(element) ?? false }
    try store.write { db in
      if isThere {
        try db.remove([.string(element)], from: "tags", of: board.reference)
      } else {
        try db.addUnique([.string(element)], to: "tags", of: board.reference)
      }
    }
    state.withLock { $0.boards[title]?.tags.formSymmetricDifference([element]) }
    note("\(name) \(isThere ? "removes" : "adds") tag \(element) of \(title)")
  }

  private func relate(
    _ board: Record, _ player: Record, _ title: String, on name: String, _ store: SQLiteStore
  ) throws {
    guard case .string(let member) = player["name"], owner(of: title + member) == name else {
      return
    }
    let isThere = state.withLock { $0.boards[title]?.players.contains(member) ?? false }
    try store.write { db in
      if isThere {
        _ = try db.remove(player.reference, from: "players", of: board.reference)
      } else {
        _ = try db.add(player.reference, to: "players", of: board.reference)
      }
    }
    state.withLock { $0.boards[title]?.players.formSymmetricDifference([member]) }
    note("\(name) \(isThere ? "removes" : "adds") player \(member) of \(title)")
  }

  /// `ferry files put` gives a board of this device a new file, and may be killed.
  private func attach(on name: String) async throws {
    let rows = try await store(name).read { try $0.records(Query("Board")) }
    let mine = rows.filter { $0["title"].text?.hasPrefix(name) ?? false }
    guard !mine.isEmpty else { return }
    let board = pick(mine)
    let number = state.withLock { state in
      state.files += 1
      return state.files
    }
    let content = "content \(number) of \(name)"
    let file = try folder(name).write(content, to: "photo-\(number).txt")
    let killing =
      self.number(below: 3) > 0
      ? nil
      : Task {
        try await Task.sleep(for: .milliseconds(self.number(below: 150)))
        self.killProcess(of: name)
      }
    let result = try await ferry(
      name, "files", "put", file.path(percentEncoded: false), "--class", "Board", "--id",
      "\(board.localID.rawValue)")
    killing?.cancel()
    let localID = board.localID
    let now = try await store(name).read { try $0.record(of: "Board", localID: localID) }
    let isAttached = now?["photo"] != board["photo"]
    if killing == nil { #expect(result.code == 0 && isAttached, "\(result.errors)") }
    note("\(name) attaches \(number) to \(board["title"].text ?? ""): \(isAttached)")
    guard isAttached, let title = board["title"].text else { return }
    state.withLock { $0.boards[title]?.photo = content }
  }

  // MARK: In the app with the other client

  private func editAsClient() async throws {
    let rows = try server.rows(of: "Board").values
    guard let row = rows.randomElementByTitle(number) else { return }
    guard let id = row["objectId"]?.string, let title = row["title"]?.string else { return }
    switch number(below: 5) {
    case 0:
      try await client.save("Board", id, ["note": .string("n\(number(below: 99))")])
    case 1: try await relateAsClient(id, title)
    case 2:
      let element = "k\(number(below: 3))"
      let isThere = state.withLock { $0.boards[title]?.tags.contains(element) ?? false }
      let operation: LoopbackValue = [
        "__op": isThere ? "Remove" : "AddUnique", "objects": [.string(element)],
      ]
      try await client.save("Board", id, ["tags": operation])
      state.withLock { $0.boards[title]?.tags.formSymmetricDifference([element]) }
    case 3: try await attachAsClient(id, title)
    default:
      try await client.save("Board", id, ["count": ["__op": "Increment", "amount": 1]])
      state.withLock { $0.boards[title]?.count += 1 }
    }
    note("k edits \(title)")
  }

  private func relateAsClient(_ id: String, _ title: String) async throws {
    let member = pick(Self.players)
    let player = try server.rows(of: "Player").values.first { $0["name"]?.string == member }
    guard owner(of: title + member) == "k", let playerID = player?["objectId"]?.string else {
      return
    }
    let isThere = state.withLock { $0.boards[title]?.players.contains(member) ?? false }
    let operation: LoopbackValue = [
      "__op": isThere ? "RemoveRelation" : "AddRelation",
      "objects": [.pointer("Player", playerID)],
    ]
    try await client.save("Board", id, ["players": operation])
    state.withLock { $0.boards[title]?.players.formSymmetricDifference([member]) }
  }

  private func attachAsClient(_ id: String, _ title: String) async throws {
    guard title.hasPrefix("k") else { return }
    let content = "content \(number(below: 1000)) of k"
    let photo = try await client.tell(
      "upload",
      [
        "name": "client.txt", "base64": .string(Data(content.utf8).base64EncodedString()),
        "type": "text/plain",
      ])
    try await client.save("Board", id, ["photo": photo])
    state.withLock { $0.boards[title]?.photo = content }
  }
}

extension Value {
  /// The text of a text.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension Collection<[String: LoopbackValue]> {
  /// One of the rows; the order of a dictionary is no part of the choice.
  fileprivate func randomElementByTitle(
    _ number: (Int) -> Int
  ) -> [String: LoopbackValue]? {
    let rows = sorted { $0["title"]?.string ?? "" < $1["title"]?.string ?? "" }
    return rows.isEmpty ? nil : rows[number(rows.count)]
  }
}
