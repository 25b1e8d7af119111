// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The files of a disk, by name, as a loss of power may leave them.
///
/// It guarantees what SQLite asks of a file system, and no more:
/// - A sync of a file makes its bytes durable, and nothing else: neither its name nor other files.
/// - A sync of a folder makes the names in it durable: SQLite syncs the folder with the first sync of a log or
///   journal that it has created.
/// - Without a sync, each write, truncation, creation, renaming and removal is kept or lost by itself, in
///   any combination. A later one may be kept where an earlier one is lost.
/// - A write is torn at sectors of 512 bytes, in any pattern. Bytes beside a write never change.
/// - A renaming happens as a whole or not at all, whether the bytes of the file are durable or not.
struct DiskImage {
  private typealias Name = (name: String, file: Int?)

  private var contents: [Int: FileContent] = [:]
  private var lastFile = 0
  private var names: [String: Int] = [:]
  private var durableNames: [String: Int] = [:]
  /// The changes of names that no sync of a folder has made durable, in order.
  private var nameChanges: [[Name]] = []

  /// A disk whose files are all durable.
  init(_ files: [String: [UInt8]] = [:]) {
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) { adopt(name, bytes) }
  }

  func has(_ name: String) -> Bool { names[name] != nil }

  /// Takes a file over that is durable already.
  mutating func adopt(_ name: String, _ bytes: [UInt8]) {
    lastFile += 1
    contents[lastFile] = FileContent(durable: bytes)
    names[name] = lastFile
    durableNames[name] = lastFile
  }

  mutating func create(_ name: String) {
    lastFile += 1
    contents[lastFile] = FileContent()
    change([(name, lastFile)])
  }

  mutating func write(_ bytes: [UInt8], at offset: Int, of name: String) {
    if let file = names[name] { contents[file]?.write(bytes, at: offset) }
  }

  mutating func truncate(_ name: String, to size: Int) {
    if let file = names[name] { contents[file]?.truncate(to: size) }
  }

  mutating func rename(_ name: String, to other: String) {
    if let file = names[name] { change([(name, nil), (other, file)]) }
  }

  mutating func remove(_ name: String) { if has(name) { change([(name, nil)]) } }

  private mutating func change(_ change: [Name]) {
    nameChanges.append(change)
    for (name, file) in change { names[name] = file }
  }

  /// Forces the bytes of a file to the disk, and the names in its folder with them where that is asked for.
  mutating func sync(_ name: String, withFolder: Bool) {
    if let file = names[name] { contents[file]?.sync() }
    guard withFolder else { return }
    let folder = Self.folder(of: name)
    nameChanges.removeAll { change in
      guard change.allSatisfy({ Self.folder(of: $0.name) == folder }) else { return false }
      for (name, file) in change { durableNames[name] = file }
      return true
    }
  }

  private static func folder(of name: String) -> Substring {
    name.lastIndex(of: "/").map { name[..<$0] } ?? ""
  }

  /// The files that are there after a loss of power.
  func remains(_ loss: PowerLoss) -> [String: [UInt8]] {
    var generator = SeededGenerator(seed: 0)
    if case .mixes(let seed) = loss { generator = SeededGenerator(seed: seed) }
    // Chance loses one of eight changes, or three, or six.
    let weight = generator.pick([1, 3, 6])
    var left = durableNames
    for change in nameChanges where Self.keeps(loss, &generator, weight) {
      for (name, file) in change { left[name] = file }
    }
    var files: [String: [UInt8]] = [:]
    for (name, file) in left.sorted(by: { $0.key < $1.key }) {
      files[name] = contents[file]?.remains(loss, &generator, weight: weight)
    }
    return files
  }

  private static func keeps(
    _ loss: PowerLoss, _ generator: inout SeededGenerator, _ weight: Int
  ) -> Bool {
    switch loss {
    case .keepsAll: true
    case .losesAll: false
    case .mixes: generator.number(below: 8) >= weight
    }
  }
}
