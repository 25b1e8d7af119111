// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Randomness

/// Adds courses of events to a world that chance alone brings together too rarely.
///
/// Each motif is about a few rows, and everything else goes on around it. Its chance is its own, so that the
/// rest of the world is the same with and without motifs.
struct Motifs {
  /// A row and its class.
  struct Place {
    var row: String
    var made: WorldClass
  }

  var chance: Chance
  let world: World
  /// The motifs so far, for names of rows.
  private var count = 0
  private var stamp = 500_000

  /// Gives one world in two up to three motifs.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x4D4F_5449)
    guard chance.one(in: 2) else { return }
    for _ in 0...chance.number(below: 3) {
      var motifs = Motifs(world, chance, number: world.events.count)
      let place = motifs.chance.number(below: world.events.count + 1)
      let script = motifs.script()
      chance = motifs.chance
      world.events.insert(contentsOf: script, at: place)
    }
  }

  private init(_ world: World, _ chance: Chance, number: Int) {
    self.world = world
    self.chance = chance
    stamp += 1000 * number
    count = 100 * number
  }

  private mutating func script() -> [Event] {
    switch chance.number(below: 18) {
    case 0..<4: lateWrite()
    case 4: manyEdits()
    case 5..<7: editMeetsDelete()
    case 7..<9: editsAroundWrite()
    case 9: circle()
    case 10: orphan()
    case 11: pointerToUnsent()
    case 12: copyOfStore()
    case 13: stagesApart()
    case 14: olderProgram()
    case 15: unreadable()
    case 16: emptiedClass()
    default: slowClient()
    }
  }

  // MARK: Parts

  mutating func device() -> Int { chance.number(below: world.settings.deviceCount) }

  func other(than device: Int) -> Int { (device + 1) % world.settings.deviceCount }

  mutating func someClass() -> WorldClass { chance.pick(world.classes) }

  mutating func name() -> String {
    count += 1
    return "m\(count)"
  }

  mutating func number() -> Int {
    stamp += 1
    return stamp
  }

  /// A new row; in a class with a filter, one in four is outside.
  mutating func insert(
    _ row: String, _ made: WorldClass, by writer: Writer, _ pointers: [String: Content] = [:]
  ) -> Event {
    let stamp = number()
    let isOutside = made.isFiltered && writer != .client && chance.one(in: 4)
    return .edit(
      writer, made.insert(row, stamp, by: writer.text, isOutside: isOutside, pointers))
  }

  /// Another value for a field of a row.
  mutating func set(_ place: Place, by writer: Writer, _ field: String? = nil) -> Event {
    guard let field = field ?? someField(of: place.made) else { return .pass(1) }
    return .edit(
      writer,
      .set(place.row, [field: place.made.content(of: field, number(), by: writer.text)]))
  }

  private mutating func someField(of made: WorldClass) -> String? {
    made.written.isEmpty ? nil : chance.pick(made.written)
  }

  func sync(_ device: Int, _ selection: StageSelection = .all) -> Event {
    .sync(device, selection, .rolling, [])
  }

  /// A sync in which something happens at a request that writes, or at its answer.
  func sync(_ device: Int, atWrite moment: Int, _ acts: [Interruption.Act]) -> Event {
    .sync(
      device, .all, .rolling,
      acts.map { Interruption(moment: moment, isOfWrite: true, act: $0) })
  }

  /// A row that all devices have.
  mutating func known(_ made: WorldClass? = nil) -> (Place, [Event]) {
    let made = made ?? someClass()
    let place = Place(row: name(), made: made)
    let events = [insert(place.row, made, by: .client)]
    return (place, events + (0..<world.settings.deviceCount).map { sync($0) })
  }
}
