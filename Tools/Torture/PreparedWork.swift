// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import LoopbackParse

/// The work that waits for the tool in a folder.
enum PreparedWork: String, CaseIterable {
  case day = "new, changed and deleted records, edits and creates"
  case firstSync = "a first sync of 61 records"
  case chosenIDs = "the same day with ids of the device"
  case conflicts = "conflicts and deletes on both sides"
  case creates = "many creates that point to each other"
  case recovery = "a sync after one that was killed"

  /// Whether the server accepts ids that devices choose.
  var allowsChosenIDs: Bool { self == .chosenIDs }
  /// Whether the folder has no store yet.
  var isFirst: Bool { self == .firstSync }

  /// The records that are there at first.
  func make(in backend: inout LoopbackBackend) throws(LoopbackError) {
    let team = try backend.create("Team", ["title": "t1"])
    for number in 1...(isFirst ? 60 : self == .conflicts ? 12 : 5) {
      _ = try backend.create(
        "Game", ["title": .string("g\(number)"), "score": 1, "home": .pointer("Team", team)])
    }
  }

  // MARK: Of the app

  func edit(_ store: SQLiteStore) throws {
    try store.write { db in
      switch self {
      case .day, .chosenIDs, .recovery: try editDay(db)
      case .firstSync: break
      case .conflicts: try editConflicts(db)
      case .creates: try create(db)
      }
    }
  }

  private func editDay(_ db: any StoreTransaction) throws(StoreError) {
    let team = try db.insert("Team", ["title": "t2"])
    try db.insert("Game", ["title": "g7", "home": Self.pointer(to: team)])
    try db.insert("Game", ["title": "g8", "score": 8])
    for game in try db.records(of: "Game") {
      switch game["title"] {
      case "g1": try db.update(game.reference, ["note": "local"])
      case "g3": try db.update(game.reference, ["score": 33])
      case "g4": try db.delete(game.reference)
      default: break
      }
    }
  }

  /// A third of the records is edited, a third deleted.
  private func editConflicts(_ db: any StoreTransaction) throws(StoreError) {
    for (place, game) in try db.records(of: "Game").enumerated() {
      switch place % 3 {
      case 0:
        try db.update(game.reference, ["score": .integer(Int64(100 + place)), "note": "local"])
      case 1: try db.delete(game.reference)
      default: break
      }
    }
  }

  private func create(_ db: any StoreTransaction) throws(StoreError) {
    for number in 1...8 {
      let team = try db.insert("Team", ["title": .string("t1\(number)")])
      for part in ["a", "b"] {
        try db.insert(
          "Game", ["title": .string("n\(number)\(part)"), "home": Self.pointer(to: team)])
      }
    }
  }

  private static func pointer(to team: RecordReference) -> Value {
    .pointer(Pointer(className: "Team", objectID: team.objectID))
  }

  // MARK: Of another client

  func edit(_ backend: inout LoopbackBackend) throws(LoopbackError) {
    switch self {
    case .day, .chosenIDs, .recovery: try editDay(&backend)
    case .conflicts: try editConflicts(&backend)
    case .firstSync, .creates: break
    }
  }

  private func editDay(_ backend: inout LoopbackBackend) throws(LoopbackError) {
    for game in backend.objects(of: "Game") {
      guard let id = game["objectId"]?.string else { continue }
      switch game["title"]?.string {
      case "g1": try backend.update("Game", id, ["score": 11])
      case "g2": try backend.delete("Game", id)
      default: break
      }
    }
    _ = try backend.create("Game", ["title": "g6", "score": 6])
  }

  /// Half of the records is edited, a quarter deleted.
  private func editConflicts(_ backend: inout LoopbackBackend) throws(LoopbackError) {
    for (place, game) in backend.objects(of: "Game").enumerated() {
      guard let id = game["objectId"]?.string else { continue }
      switch place % 4 {
      case 0, 2: try backend.update("Game", id, ["score": .number(Double(200 + place))])
      case 1: try backend.delete("Game", id)
      default: break
      }
    }
  }
}
