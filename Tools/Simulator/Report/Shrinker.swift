// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

/// Finds the smallest world that breaks the same rule.
///
/// Delta debugging: it leaves out halves, quarters and single events, then what happens within syncs, the
/// given rows, and the settings that are not needed.
struct Shrinker {
  private let rule: Violation.Rule
  private let breaks: (World) -> Violation.Rule?
  private var best: World
  private var playsLeft: Int

  private init(
    _ world: World, _ rule: Violation.Rule, plays: Int,
    _ breaks: @escaping (World) -> Violation.Rule?
  ) {
    best = world
    self.rule = rule
    self.breaks = breaks
    playsLeft = plays
  }

  /// The smallest world found.
  ///
  /// - Parameters:
  ///   - world: A world that breaks a rule.
  ///   - rule: The rule.
  ///   - plays: How many worlds to play at most.
  ///   - breaks: Plays a world, and says which rule it breaks.
  /// - Returns: The world, or a smaller one.
  static func smallest(
    _ world: World, breaking rule: Violation.Rule, plays: Int,
    _ breaks: @escaping (World) -> Violation.Rule?
  ) -> World {
    var shrinker = Shrinker(world, rule, plays: plays, breaks)
    var size = Int.max
    while shrinker.size < size, shrinker.playsLeft > 0 {
      size = shrinker.size
      shrinker.shrink(\.events)
      shrinker.shrinkInterruptions()
      shrinker.shrink(\.given)
      shrinker.simplify()
    }
    return shrinker.best
  }

  /// The number of events, of what happens within them, and of what is unusual.
  private var size: Int {
    best.events.reduce(best.given.count + best.settings.deviceCount) { size, event in
      size + 1 + event.interruptions.count
    } + best.classes.reduce(0) { $0 + $1.droppable.count + 1 }
  }

  /// Keeps a smaller world if it breaks the rule too.
  private mutating func tries(_ change: (inout World) -> Void) -> Bool {
    guard playsLeft > 0 else { return false }
    playsLeft -= 1
    var world = best
    change(&world)
    guard breaks(world) == rule else { return false }
    best = world
    return true
  }

  private mutating func shrink<Element>(_ list: WritableKeyPath<World, [Element]>) {
    var length = max(best[keyPath: list].count / 2, 1)
    while true {
      var start = 0
      while start < best[keyPath: list].count {
        let end = min(start + length, best[keyPath: list].count)
        if !tries({ $0[keyPath: list].removeSubrange(start..<end) }) { start = end }
      }
      if length == 1 { return }
      length /= 2
    }
  }

  private mutating func shrinkInterruptions() {
    for place in best.events.indices {
      let whole = best.events[place]
      var left = whole.interruptions
      for number in left.indices.reversed() {
        var fewer = left
        fewer.remove(at: number)
        if tries({ $0.events[place] = whole.with(fewer) }) { left = fewer }
      }
      if case .sync(let device, let selection, let comparison, _) = whole, selection != .all {
        _ = tries { $0.events[place] = .sync(device, .all, comparison, left) }
      }
    }
  }

  private mutating func dropFields(of place: Int) {
    let unused = best.unusedFields(of: place)
    if !unused.isEmpty { _ = tries { $0.drop(unused, of: place) } }
    for field in best.classes[place].droppable.reversed() {
      _ = tries { $0.drop([field], of: place) }
    }
  }

  private mutating func simplify() {
    let plain = WorldSettings()
    while best.settings.deviceCount > 1, tries({ $0.dropLastDevice() }) {}
    if best.settings.plans { _ = tries { $0.settings.plans = false } }
    if best.settings.brokenBatch { _ = tries { $0.settings.brokenBatch = false } }
    if best.settings.maxLimit != nil { _ = tries { $0.settings.maxLimit = nil } }
    if best.settings.hasTwoPrograms { _ = tries { $0.dropOtherPrograms() } }
    if best.settings.hasUsers { _ = tries { $0.dropUsers() } }
    if best.settings.trigger != nil { _ = tries { $0.settings.trigger = nil } }
    if best.settings.chosenClasses != nil { _ = tries { $0.settings.chosenClasses = nil } }
    if best.settings.schedule != nil { _ = tries { $0.settings.schedule = nil } }
    if best.settings.plansChosenClasses { _ = tries { $0.settings.plansChosenClasses = false } }
    if best.hasOnDemand { _ = tries { $0.dropOnDemand() } }
    if best.settings.localWins { _ = tries { $0.settings.localWins = false } }
    if best.settings.editWins { _ = tries { $0.settings.editWins = false } }
    if best.settings.sync.pageSize != plain.sync.pageSize {
      _ = tries { $0.settings.sync.pageSize = plain.sync.pageSize }
    }
    if best.settings.sync.batchSize != plain.sync.batchSize {
      _ = tries { $0.settings.sync.batchSize = plain.sync.batchSize }
    }
    for place in best.classes.indices.reversed() {
      if best.classes.count > 1, tries({ $0.drop(class: place) }) { continue }
      if best.classes[place].isFiltered { _ = tries { $0.classes[place].dropFilter() } }
      if best.classes[place].deletions != .counting {
        _ = tries { $0.classes[place].dropDeletions() }
      }
      dropFields(of: place)
    }
    for place in best.events.indices {
      guard case .edit(let writer, .set(let row, let fields)) = best.events[place] else { continue }
      for field in fields.keys.sorted() where fields.count > 1 {
        let fewer = fields.filter { $0.key == field }
        if tries({ $0.events[place] = .edit(writer, .set(row, fewer)) }) { break }
      }
    }
  }
}
