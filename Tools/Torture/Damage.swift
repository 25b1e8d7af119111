// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A way in which a disk, a program or a person damages the files of a store.
enum Damage: String, CaseIterable {
  case flippedBits = "bits flipped in the database"
  case alteredBytes = "bytes of content altered in the database"
  case alteredEdit = "an unsent value altered in the database"
  case alteredEntry = "an entry of the outbox altered in the database"
  case zeroedPage = "a page of zeros in the database"
  case randomPage = "a page of random bytes in the database"
  case swappedPages = "two pages swapped in the database"
  case otherPage = "a page of an earlier copy in the database"
  case truncated = "the database truncated"
  case garbageAppended = "garbage after the database"
  case otherDatabase = "the database of an earlier copy"
  case noLog = "the write-ahead log removed"
  case otherLog = "the write-ahead log of an earlier copy"
  case cutLog = "the write-ahead log truncated"
  case flippedLog = "bits flipped in the write-ahead log"
  case cutManifest = "a manifest truncated"
  case flippedManifest = "bits flipped in a manifest"
  case editedManifest = "a number of a manifest altered"
  case cutPage = "a staged page truncated"
  case flippedPage = "bits flipped in a staged page"
  case otherStagedPage = "a staged page replaced by another class's"
  case noStagedPage = "a staged page removed"

  /// Damages the files of a folder, for some ways by those of an earlier copy; false where there is nothing to
  /// damage.
  func apply(to folder: URL, other: URL, _ chance: inout Chance) throws -> Bool {
    let (database, log) = ("store.sqlite", "store.sqlite-wal")
    let staged = try Self.stagedFiles(in: folder)
    let manifest = staged.filter { $0.hasSuffix(".jsonl") }.randomElement(using: &chance)
    let page = staged.filter { $0.hasSuffix(".json") }.randomElement(using: &chance)
    func change(_ name: String?, _ body: (inout [UInt8], inout Chance) -> Void) throws -> Bool {
      guard let name else { return false }
      return try Self.change(folder.appending(path: name), &chance, body)
    }
    switch self {
    case .flippedBits: return try change(database) { $0.flipBits(&$1) }
    case .alteredBytes: return try change(database) { $0.alterContent(&$1) }
    case .alteredEdit:
      let file = folder.appending(path: database)
      return try Self.alter(["The app's note", "New "], reach: 12, in: file, &chance)
    case .alteredEntry:
      let file = folder.appending(path: database)
      return try Self.alter(["{\"acl\":"], reach: 400, in: file, &chance)
    case .zeroedPage:
      return try change(database) {
        $0.setPage($1.page(of: $0), [UInt8](repeating: 0, count: 4096))
      }
    case .randomPage: return try change(database) { $0.setPage($1.page(of: $0), $1.bytes(4096)) }
    case .swappedPages:
      return try change(database) { bytes, chance in
        let (one, two) = (chance.page(of: bytes), chance.page(of: bytes))
        let (first, second) = (bytes.page(one), bytes.page(two))
        bytes.setPage(one, second)
        bytes.setPage(two, first)
      }
    case .otherPage:
      let others = try [UInt8](Data(contentsOf: other.appending(path: database)))
      return try change(database) { bytes, chance in
        let number = chance.page(of: bytes.count < others.count ? bytes : others)
        bytes.setPage(number, others.page(number))
      }
    case .truncated: return try change(database) { $0.cut(&$1) }
    case .garbageAppended: return try change(database) { $0 += $1.bytes($1.number(1...9000)) }
    case .otherDatabase: return try Self.replace(database, in: folder, from: other)
    case .noLog: return try Self.remove(log, in: folder)
    case .otherLog: return try Self.replace(log, in: folder, from: other)
    case .cutLog: return try change(log) { $0.cut(&$1) }
    case .flippedLog: return try change(log) { $0.flipBits(&$1) }
    case .cutManifest: return try change(manifest) { $0.cut(&$1) }
    case .flippedManifest: return try change(manifest) { $0.flipBits(&$1) }
    case .editedManifest: return try change(manifest) { $0.alterDigit(&$1) }
    case .cutPage: return try change(page) { $0.cut(&$1) }
    case .flippedPage: return try change(page) { $0.flipBits(&$1) }
    case .otherStagedPage:
      guard let page, let source = staged.first(where: { $0.hasSuffix(".json") && $0 != page })
      else { return false }
      return try Self.replace(page, by: source, in: folder)
    case .noStagedPage: return try page.map { try Self.remove($0, in: folder) } ?? false
    }
  }

  // MARK: Files

  private static func stagedFiles(in folder: URL) throws -> [String] {
    let names = try? FileManager.default.subpathsOfDirectory(
      atPath: folder.appending(path: "staging").path)
    return (names ?? []).sorted().map { "staging/\($0)" }
  }

  private static func change(
    _ file: URL, _ chance: inout Chance, _ body: (inout [UInt8], inout Chance) -> Void
  ) throws -> Bool {
    guard let data = try? Data(contentsOf: file), !data.isEmpty else { return false }
    var bytes = [UInt8](data)
    body(&bytes, &chance)
    try Data(bytes).write(to: file)
    return true
  }

  /// Alters a letter or a digit behind the beginning of one of some texts; false where there is none of them.
  private static func alter(
    _ texts: [String], reach: Int, in file: URL, _ chance: inout Chance
  ) throws -> Bool {
    var bytes = try [UInt8](Data(contentsOf: file))
    let places = texts.flatMap { bytes.places(of: Array($0.utf8)) }
    guard let place = places.randomElement(using: &chance) else { return false }
    bytes.alterCharacter(after: place + chance.number(0...reach), &chance)
    try Data(bytes).write(to: file)
    return true
  }

  private static func remove(_ name: String, in folder: URL) throws -> Bool {
    let file = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: file.path) else { return false }
    try FileManager.default.removeItem(at: file)
    return true
  }

  private static func replace(_ name: String, in folder: URL, from other: URL) throws -> Bool {
    guard let data = try? Data(contentsOf: other.appending(path: name)) else { return false }
    try data.write(to: folder.appending(path: name))
    return true
  }

  private static func replace(_ name: String, by source: String, in folder: URL) throws -> Bool {
    try Data(contentsOf: folder.appending(path: source)).write(to: folder.appending(path: name))
    return true
  }
}
