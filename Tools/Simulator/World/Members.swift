// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Gives a class of a world a relation, and lets apps and the other client add and remove its members.
///
/// The chance is one of its own, so that the rest of the world is the same with and without members.
struct Members {
  /// The relation.
  static let field = "squad"

  private var chance: Chance
  private let deviceCount: Int
  private let classes: (owner: String, member: String)
  private var owners: [String] = []
  private var members: [String] = []
  /// The pairs that an app or the client added.
  private var added: [MemberEdit] = []

  /// Gives the world a relation.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x4D45_4D42)
    guard !world.classes.isEmpty else { return }
    let place = chance.number(below: world.classes.count)
    let member = chance.pick(world.classes.map(\.name))
    world.classes[place].addMembers(field, from: member)
    var weaving = Members(
      chance: chance, deviceCount: world.settings.deviceCount,
      classes: (world.classes[place].name, member))
    for edit in world.given { weaving.note(edit) }
    world.events = world.events.flatMap { weaving.events(around: $0) }
  }

  private init(
    chance: Chance, deviceCount: Int, classes: (owner: String, member: String)
  ) {
    (self.chance, self.deviceCount, self.classes) = (chance, deviceCount, classes)
  }

  private mutating func note(_ edit: Edit) {
    guard case .insert(let row, let className, _) = edit else { return }
    if className == classes.owner { owners.append(row) }
    if className == classes.member { members.append(row) }
  }

  private mutating func events(around event: Event) -> [Event] {
    var events: [Event] = []
    for _ in 0..<chance.number(below: 3) {
      if let (writer, edit) = edit() { events.append(.relate(writer, edit)) }
    }
    var interruptions = event.interruptions
    switch event {
    case .edit(_, let edit), .beginEdit(let edit): note(edit)
    case .sync:
      for case .edit(_, let edit) in interruptions.map(\.act) { note(edit) }
      for _ in 0..<chance.number(below: 3) {
        guard let (writer, edit) = edit() else { continue }
        let moment = chance.number(below: chance.pick([8, 16, 32]))
        interruptions.append(Interruption(moment: moment, act: .relate(writer, edit)))
      }
    default: break
    }
    return events + [event.with(interruptions.sorted { $0.moment < $1.moment })]
  }

  private mutating func edit() -> (Writer, MemberEdit)? {
    guard !owners.isEmpty, !members.isEmpty else { return nil }
    let writer: Writer = chance.one(in: 3) ? .client : .app(chance.number(below: deviceCount))
    if !added.isEmpty, chance.one(in: 2) {
      var edit = chance.pick(added)
      edit.adds = chance.one(in: 4)
      return (writer, edit)
    }
    let edit = MemberEdit(
      owner: chance.pick(owners), member: chance.pick(members), adds: true)
    added.append(edit)
    return (writer, edit)
  }
}
