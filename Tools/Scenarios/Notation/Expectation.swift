// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// What a story says that is to be seen at some point.
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

/// One line of what an actor holds: a row, a pending change, a journalled value, a record set aside.
struct WorldLine: Sendable, Hashable, Comparable {
  enum Section: Int, Sendable, CaseIterable {
    case row, pending, journal, quarantine
  }

  struct Key: Sendable, Hashable, Comparable {
    var section: Section
    var className: String
    var name: String

    /// By section, class and name, the numbers in names by value.
    static func < (left: Key, right: Key) -> Bool {
      if left.section != right.section { return left.section.rawValue < right.section.rawValue }
      if left.className != right.className { return left.className < right.className }
      let one = left.name.stemAndNumber
      let other = right.name.stemAndNumber
      return one == other ? left.name < right.name : one < other
    }
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
  static func journal(
    _ reason: String, _ name: String, of entity: Entity, _ fields: [String: String]
  ) -> WorldLine {
    WorldLine(
      key: Key(section: .journal, className: entity.name, name: name),
      text: "journal \(reason) \(name)" + text(of: fields, entity))
  }

  /// A change that the server does not have yet; `state` is empty for one that is simply due.
  static func pending(
    _ kind: String, _ name: String, of className: String, state: String
  ) -> WorldLine {
    WorldLine(
      key: Key(section: .pending, className: className, name: name),
      text: "pending \(kind) \(name)" + (state.isEmpty ? "" : " \(state)"))
  }

  /// A record from the server that could not be imported.
  static func quarantined(_ name: String, of className: String) -> WorldLine {
    WorldLine(
      key: Key(section: .quarantine, className: className, name: name), text: "quarantined \(name)")
  }

  private static func text(of fields: [String: String], _ entity: Entity) -> String {
    entity.fields.compactMap { field in
      guard let value = fields[field.name], value != "none" else { return nil }
      return " \(field.name) \(value)"
    }.joined()
  }
}

extension String {
  /// A name's stem and the number it ends with.
  fileprivate var stemAndNumber: (String, Int) {
    let digits = reversed().prefix { $0.isASCII && $0.isNumber }.count
    return (String(dropLast(digits)), Int(suffix(digits)) ?? 0)
  }
}
