// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// All that the server ever held, from the log that the double publishes.
final class CommitHistory: @unchecked Sendable {
  private let identities: Identities
  private let classes: ClassTable
  private var contents: [RowField: Set<Content>] = [:]
  /// The rows that the server removed, or marked as removed, at least once.
  private(set) var removed: Set<String> = []
  /// The rows of which the server removed a record more than once.
  private(set) var removedAgain: Set<String> = []

  /// The rows whose records were outside of their class's filter at some time.
  private(set) var everOutside: Set<String> = []
  private let filtered: [String: WorldClass]

  /// The fields of each class.
  private let fields: [String: [String]]

  /// The rows that each class ever had.
  private var rows: [String: Set<String>] = [:]
  /// The ids under which the server has each row now.
  private var live: [String: Set<String>] = [:]
  /// The row of which the last commit made a second record; nil for none.
  private(set) var doubled: String?

  init(_ world: World, _ classes: ClassTable, _ identities: Identities) {
    self.classes = classes
    self.identities = identities
    fields = Dictionary(
      world.classes.map { ($0.name, $0.entity.fields.map(\.name)) }, uniquingKeysWith: { $1 })
    filtered = Dictionary(
      world.classes.filter(\.isFiltered).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  func note(_ commit: LoopbackCommit) {
    doubled = nil
    guard let fields = classes.contents(of: commit) else {
      let name = identities.name(
        Pointer(className: commit.className, objectID: commit.objectId))
      if !removed.insert(name).inserted { removedAgain.insert(name) }
      live[name]?.remove(commit.objectId)
      return
    }
    guard let name = classes.name(of: commit.className, fields) else { return }
    identities.learn(name, commit.className, commit.objectId)
    rows[commit.className, default: []].insert(name)
    let isNew = live[name, default: []].insert(commit.objectId).inserted
    if isNew, live[name]?.count ?? 0 > 1 { doubled = name }
    if classes.isMarked(commit.className, fields) { removed.insert(name) }
    var held: [String: Content] = [:]
    for field in (self.fields[commit.className] ?? []) + [Fields.accessList] {
      let content = fields[field].map { Content($0, name: identities.name) } ?? .empty
      contents[RowField(row: name, field: field), default: []].insert(content)
      held[field] = content
    }
    if filtered[commit.className]?.keeps(held) == false { everOutside.insert(name) }
  }

  /// The server's owner dropped a field of a class.
  func dropped(_ field: String, of className: String) {
    for row in rows[className] ?? [] {
      contents[RowField(row: row, field: field), default: []].insert(.empty)
    }
  }

  /// Whether the server held a value in a field of a row, or nothing.
  func held(_ content: Content, in place: RowField) -> Bool {
    contents[place]?.contains(content) ?? false
  }

  /// Whether the server has a record of a row under an id now.
  func has(_ row: String, under objectID: String) -> Bool {
    live[row]?.contains(objectID) ?? false
  }

  /// How many records of a row the server has now.
  func count(of row: String) -> Int { live[row]?.count ?? 0 }

  /// Whether the server has a record of a row now.
  func isThere(_ row: String) -> Bool { live[row]?.isEmpty == false }
}
