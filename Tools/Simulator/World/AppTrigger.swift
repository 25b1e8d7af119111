// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness

/// A trigger of the app on the table of a class.
///
/// It leaves each row with the values that it had. So nobody who looks at the rows need know of it, but the engine
/// meets what it does in between.
public struct AppTrigger: Sendable {
  /// The statements of a trigger, in words.
  public enum Work: Sendable, CaseIterable {
    /// Empties a field that the app has edited, and writes its value again.
    case rewrites
    /// Replaces the row that the app has edited.
    case replaces
    /// Deletes the row that the app has edited, and inserts it again under another local id.
    case moves
    /// Replaces all rows of another class after each update, also while a sync writes.
    case replacesOthers
    /// Deletes all rows of another class when a sync updates a row.
    case removesOthers

    var text: String {
      switch self {
      case .rewrites: "writes an edited field twice"
      case .replaces: "replaces an edited row"
      case .moves: "inserts an edited row anew"
      case .replacesOthers: "replaces rows of another class"
      case .removesOthers: "removes rows during a sync"
      }
    }
  }

  /// The statements.
  public var work: Work
  /// The class whose edits it watches.
  public var className: String
  /// The field whose edits it watches.
  public var field: String
  /// The class whose rows it writes.
  public var target: String

  /// A trigger on the table of a class.
  ///
  /// - Parameters:
  ///   - work: The statements.
  ///   - className: The class whose edits it watches.
  ///   - field: The field whose edits it watches.
  ///   - target: The class whose rows it writes: another one for `replacesOthers` and `removesOthers`.
  public init(_ work: Work, on className: String, field: String, target: String) {
    self.work = work
    self.className = className
    self.field = field
    self.target = target
  }
}

extension AppTrigger {
  /// Gives one world in eight a trigger.
  ///
  /// Its chance is its own, so that the rest of the world is the same with and without it.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5452_4947)
    // A field that gets another type gets another column, which a statement of a trigger does not name.
    guard chance.one(in: 8), !world.settings.hasRetypedPrograms else { return }
    let made = chance.pick(world.classes)
    let work = chance.pick(Work.allCases)
    let others = world.classes.map(\.name).filter { $0 != made.name }
    guard !made.written.isEmpty, !others.isEmpty else { return }
    let writesOthers = work == .replacesOthers || work == .removesOthers
    world.settings.trigger = AppTrigger(
      work, on: made.name, field: chance.pick(made.written),
      target: writesOthers ? chance.pick(others) : made.name)
  }

  /// The trigger's text; nil where a class or the field is not in the world.
  func sql(in world: World) -> String? {
    guard let made = world.madeClass(className), let target = world.madeClass(target),
      let column = made.entity.field(field)?.column
    else { return nil }
    let table = "\"\(made.entity.table)\""
    let event = work == .removesOthers ? "UPDATE" : "UPDATE OF \"\(column)\""
    return "CREATE TRIGGER app AFTER \(event) ON \(table)\(condition)BEGIN "
      + statements(in: table, column, target).joined(separator: "; ") + "; END"
  }

  private var condition: String {
    switch work {
    case .rewrites, .replaces, .moves: " WHEN NOT EXISTS (SELECT 1 FROM ferry_author) "
    case .removesOthers: " WHEN EXISTS (SELECT 1 FROM ferry_author) "
    case .replacesOthers: " "
    }
  }

  private func statements(in table: String, _ column: String, _ target: WorldClass) -> [String] {
    let kept = target.keptColumns
    let new = kept.map { "NEW.\($0)" }.joined(separator: ", ")
    let names = kept.joined(separator: ", ")
    switch work {
    case .rewrites:
      return ["NULL", "NEW.\"\(column)\""].map {
        "UPDATE \(table) SET \"\(column)\" = \($0) WHERE localId = NEW.localId"
      }
    case .replaces:
      return ["REPLACE INTO \(table) (localId, \(names)) VALUES (NEW.localId, \(new))"]
    case .moves:
      return [
        "DELETE FROM \(table) WHERE localId = NEW.localId",
        "INSERT INTO \(table) (\(names)) VALUES (\(new))",
      ]
    case .replacesOthers:
      let other = "\"\(target.entity.table)\""
      return ["REPLACE INTO \(other) (\(names)) SELECT \(names) FROM \(other)"]
    case .removesOthers: return ["DELETE FROM \"\(target.entity.table)\""]
    }
  }
}
