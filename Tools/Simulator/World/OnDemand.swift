// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness

/// Puts some classes of some worlds on demand: no sync lists them, devices fetch queries, and evict rows.
///
/// The chance is one of its own, so that the rest of the world is the same with and without such classes.
struct OnDemand {
  private var chance: Chance
  private let world: World
  private var rows: [WorldRow]
  private var stamp = 8_000_000

  private var classes: [WorldClass] { world.classes.filter(\.isOnDemand) }

  /// Gives half of the worlds such classes in which nobody logs in, and neither rights nor fields change.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x4F4E_4445)
    let settings = world.settings
    guard chance.one(in: 2), !settings.hasUsers, !settings.hasClassRights,
      !settings.hasSchemaChanges, !settings.hasRetypedPrograms, settings.trigger == nil
    else { return }
    for place in world.classes.indices {
      world.classes[place].isOnDemand = chance.one(in: 2)
    }
    if !world.hasOnDemand {
      world.classes[chance.number(below: world.classes.count)].isOnDemand = true
    }
    var demand = OnDemand(
      chance: chance, world: world, rows: world.given.compactMap(world.row))
    world.events = world.events.flatMap { demand.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    for case .edit(_, let edit) in event.interruptions.map(\.act) { note(edit) }
    var before: [Event] = []
    let device = chance.number(below: world.settings.deviceCount)
    if chance.one(in: 5) { before.append(fetch(on: device)) }
    if chance.one(in: 8) { before.append(eviction(on: device)) }
    switch event {
    case .edit(_, let edit):
      note(edit)
      return before + [event]
    case .sync(let device, _, _, _):
      var after: [Event] = []
      if chance.one(in: 2) { after.append(fetch(on: device)) }
      if chance.one(in: 6) { after.append(.askAgain(device, className: chance.pick(classes).name)) }
      if chance.one(in: 6) { after.append(eviction(on: device)) }
      return before + [event] + after
    default: return before + [event]
    }
  }

  private mutating func note(_ edit: Edit) { rows += [world.row(edit)].compactMap(\.self) }

  private mutating func eviction(on device: Int) -> Event {
    let names = rows.filter(\.made.isOnDemand).map(\.name)
    return .evict(device, chance.one(in: 3) ? names : names.filter { _ in chance.one(in: 3) })
  }

  private mutating func fetch(on device: Int) -> Event {
    .fetch(device, query(of: chance.pick(classes)), interruptions(of: device))
  }

  // MARK: Happenings within a fetch

  private mutating func interruptions(of device: Int) -> [Interruption] {
    (0..<chance.pick([0, 0, 0, 1, 2])).map { _ in
      Interruption(moment: chance.number(below: chance.pick([4, 8])), act: act(on: device))
    }.sorted { $0.moment < $1.moment }
  }

  private mutating func act(on device: Int) -> Interruption.Act {
    let other = chance.number(below: world.settings.deviceCount)
    switch chance.number(below: 12) {
    case 0: return .kill
    case 1 where other != device: return .sync(other)
    case 2..<6: return edit(by: .client) ?? .kill
    case 6..<10: return edit(by: .app(device)) ?? .kill
    default:
      return .fate(
        chance.pick([
          .isLost, .cannotConnect, .isAnswered(500), .isAnswered(429), .losesItsAnswer,
          .isTruncated, .isSlow,
        ]))
    }
  }

  private mutating func edit(by writer: Writer) -> Interruption.Act? {
    guard !rows.isEmpty else { return nil }
    stamp += 1
    let row = chance.pick(rows)
    if chance.one(in: 5) { return .edit(writer, .delete(row.name)) }
    return .edit(writer, row.edit(stamp, by: writer.text, number: chance.number(below: 2)))
  }
}

// The queries of the apps.
extension OnDemand {
  private mutating func query(of made: WorldClass) -> Query {
    guard !chance.one(in: 3) else { return Query(made.name) }
    let fields = made.entity.fields.filter { field in
      (made.written.contains(field.name) || field.name == made.title) && field.name != made.later
    }
    guard var condition = condition(on: fields) else { return Query(made.name) }
    if chance.one(in: 4), let second = self.condition(on: fields) {
      condition = chance.one(in: 2) ? condition && second : condition || second
    }
    if chance.one(in: 6) { condition = !condition }
    let sortable = fields.filter { $0.type.isSortedInWorlds }.map(\.name)
    var order: [SortOrder] = []
    if !sortable.isEmpty {
      for _ in 0..<chance.pick([0, 1, 1, 2]) {
        let field = chance.pick(sortable)
        order.append(chance.one(in: 2) ? .ascending(field) : .descending(field))
      }
    }
    return Query(
      made.name, where: chance.one(in: 6) ? nil : condition, orderedBy: order,
      limit: chance.pick([nil, nil, 1, 2, 3, 5]))
  }

  private mutating func condition(on fields: [Field]) -> Condition? {
    let fields = fields.filter { !$0.type.isRelation }
    guard !fields.isEmpty else { return nil }
    let field = chance.pick(fields)
    if chance.one(in: 8) { return .isNull(field.name) }
    let number = chance.number(below: chance.pick([10, 60, 600_000, 9_000_000]))
    let comparison = chance.pick([
      Condition.Comparison.equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan,
      .greaterThanOrEqual,
    ])
    switch field.type {
    case .integer: return .field(field.name, comparison, .integer(Int64(number)))
    case .number: return .field(field.name, comparison, .number(Double(number)))
    case .date:
      let date = Timestamp(milliseconds: 1_700_000_000_000 + Int64(number))
      return .field(field.name, comparison, .date(date))
    case .boolean: return .field(field.name, .equal, .boolean(chance.one(in: 2)))
    case .text: return textCondition(on: field.name, number)
    default: return !.isNull(field.name)
    }
  }

  private mutating func textCondition(on field: String, _ number: Int) -> Condition {
    let names = rows.isEmpty ? ["r1"] : (0..<3).map { _ in chance.pick(rows).name }
    switch chance.number(below: 5) {
    case 0: return .text(field, .prefix(chance.pick(["r", "m", "A", "B", "c", "r1"])))
    case 1: return .text(field, .contains(String(number % 10)))
    case 2: return .text(field, .suffix(String(number % 10)))
    case 3: return .field(field, .greaterThan, .string(chance.pick(["A", "c", "r2"])))
    default: return .oneOf(field, names.map { .string($0) })
    }
  }
}

extension FieldType {
  /// Whether queries of worlds sort by such a field.
  fileprivate var isSortedInWorlds: Bool {
    switch self {
    case .integer, .number, .date, .text: true
    default: false
    }
  }
}
