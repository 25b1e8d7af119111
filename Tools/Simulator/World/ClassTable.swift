// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// The parts that fields play, by the name of the class, as the rules need them.
struct ClassTable: Sendable {
  private let titles: [String: String]
  private let flags: [String: String]
  private let later: [String: String]
  private let fieldsWithValues: [String: [String]]
  private let unstamped: [String: Set<String>]
  /// Whether access lists are judged as fields are.
  let judgesLists: Bool

  init(_ classes: [WorldClass], judgingLists judgesLists: Bool) {
    self.judgesLists = judgesLists
    func table<Part>(_ part: (WorldClass) -> Part?) -> [String: Part] {
      Dictionary(
        classes.compactMap { made in part(made).map { (made.name, $0) } }, uniquingKeysWith: { $1 })
    }
    titles = table(\.title)
    flags = table(\.flag)
    later = table(\.later)
    fieldsWithValues = table { $0.written + $0.lasting }
    unstamped = table { $0.unstamped.isEmpty ? nil : $0.unstamped }
  }

  /// The field with the rows' names.
  func title(of className: String) -> String? { titles[className] }

  /// The name of a row with these values on the server.
  func name(of className: String, _ fields: [String: LoopbackValue]) -> String? {
    titles[className].flatMap { fields[$0]?.string }
  }

  /// The name of a row with these values on a device.
  func name(of className: String, _ fields: Fields) -> String? {
    guard let title = titles[className], case .string(let name)? = fields[title] else { return nil }
    return name
  }

  /// The name that a request gives a row.
  func name(of className: String, _ value: LoopbackValue) -> String? {
    titles[className].flatMap { value[$0]?.string }
  }

  func isMarked(_ className: String, _ fields: [String: LoopbackValue]?) -> Bool {
    guard let flag = flags[className] else { return false }
    return fields?[flag] == true
  }

  func flag(of className: String) -> String? { flags[className] }

  /// Whether older programs do not declare the field.
  func isLater(_ field: String, of className: String?) -> Bool {
    className.map { later[$0] == field } ?? false
  }

  func later(of className: String) -> String? { later[className] }

  /// The fields with values of their own, which are no pointers to rows.
  func fieldsWithValues(of className: String) -> [String] {
    (fieldsWithValues[className] ?? []) + (judgesLists ? [Fields.accessList] : [])
  }

  /// Whether more than one write may have the same value of the field.
  func isUnstamped(_ field: String, of className: String?) -> Bool {
    guard !unstamped.isEmpty, let className else { return false }
    return unstamped[className]?.contains(field) ?? false
  }
}
