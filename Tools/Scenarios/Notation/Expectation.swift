// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The state of the world that a story expects at some point.
struct Expectation: Sendable {
  var line: Int
  /// Whether it describes the whole world, as at the end, or only what it mentions.
  var isWhole: Bool
  var facts: [Fact] = []

  /// One line of it.
  struct Fact: Sendable {
    /// The actors it holds for; empty for all.
    var actors: [Actor]
    var line: Int
    var statement: Statement
  }

  enum Statement: Sendable {
    case line(WorldLine)
    /// No such row, entry or value is there.
    case absent(WorldLine.Key)
    /// There is nothing of that kind.
    case nothing(WorldLine.Section)
  }
}

/// One line of what an actor holds: a row, a pending change, a conflict record, a record set aside, files.
struct WorldLine: Sendable, Hashable, Comparable {
  enum Section: Int, Sendable, CaseIterable {
    case row, pending, conflict, quarantine, file
  }

  struct Key: Sendable, Hashable, Comparable {
    let section: Section
    let className: String
    let name: String
    /// Names in their order, the numbers in them by value.
    private let order: String

    init(section: Section, className: String, name: String) {
      self.section = section
      self.className = className
      self.name = name
      let digits = name.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
      let zeros = String(repeating: "0", count: max(8 - digits, 0))
      order =
        "\(section.rawValue)\(className) \(name.dropLast(digits)) \(zeros)\(name.suffix(digits))"
    }

    static func < (left: Key, right: Key) -> Bool { left.order < right.order }
    static func == (left: Key, right: Key) -> Bool { left.order == right.order }
    func hash(into hasher: inout Hasher) { hasher.combine(order) }
  }

  var key: Key
  var text: String

  static func < (left: WorldLine, right: WorldLine) -> Bool {
    left.key == right.key ? left.text < right.text : left.key < right.key
  }

  /// A row: class, name and the fields that have a value, as declared in the schema.
  static func row(_ name: String, of entity: Entity, _ fields: [String: String]) -> WorldLine {
    WorldLine(
      key: Key(section: .row, className: entity.name, name: name),
      text: "\(entity.name) \(name)" + text(of: fields, entity))
  }

  /// A value that a sync overwrote or removed.
  static func conflict(
    _ reason: String, _ name: String, of entity: Entity, _ fields: [String: String]
  ) -> WorldLine {
    WorldLine(
      key: Key(section: .conflict, className: entity.name, name: name),
      text: "conflict \(reason) \(name)" + text(of: fields, entity))
  }

  /// A change that the server does not have yet; `state` is empty for one that is simply due.
  static func pending(
    _ kind: String, _ name: String, of className: String, state: String
  ) -> WorldLine {
    WorldLine(
      key: Key(section: .pending, className: className, name: name),
      text: "pending \(kind) \(name)" + (state.isEmpty ? "" : " \(state)"))
  }

  /// An addition to a relation, or a removal, that the server does not have yet.
  static func pendingMember(
    adds: Bool, _ member: String, _ owner: String, _ field: String, of className: String,
    state: String
  ) -> WorldLine {
    let words = adds ? "add \(member) to" : "remove \(member) from"
    return WorldLine(
      key: Key(section: .pending, className: className, name: "\(owner) \(member)"),
      text: "pending \(words) \(owner).\(field)" + (state.isEmpty ? "" : " \(state)"))
  }

  /// A record from the server that could not be imported.
  static func quarantined(_ name: String, of className: String) -> WorldLine {
    WorldLine(
      key: Key(section: .quarantine, className: className, name: name), text: "quarantined \(name)")
  }

  /// Files of the server that an app gave one name.
  static func files(_ count: Int, named name: String) -> WorldLine {
    WorldLine(
      key: Key(section: .file, className: "", name: name),
      text: "stored \(count == 1 ? "" : "\(count) ")" + StoryValue.quoted(name))
  }

  private static func text(of fields: [String: String], _ entity: Entity) -> String {
    entity.fields.compactMap { field in
      guard let value = fields[field.name], value != "none" else { return nil }
      return " \(field.name) \(value)"
    }.joined()
  }
}
