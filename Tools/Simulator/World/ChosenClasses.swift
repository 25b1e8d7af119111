// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Lets half of the syncs of some worlds ask for some classes only, as a coordinator does that runs by itself.
///
/// The chance is one of its own, so that the rest of the world is the same with and without these syncs.
enum ChosenClasses {
  /// Gives one world in four such syncs.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x434C_4153)
    guard chance.one(in: 4) else { return }
    world.settings.chosenClasses = world.seed
    world.settings.plansChosenClasses = world.settings.plans
  }
}

extension WorldSettings {
  /// The classes for which a device asks in its sync of that number; nil for all.
  func chosenClasses(of device: Int, sync number: Int, among classNames: [String]) -> Set<String>? {
    guard let chosenClasses else { return nil }
    var chance = Chance(seed: chosenClasses ^ UInt64(device << 32 | number))
    guard chance.one(in: 2) else { return nil }
    return Set(classNames.filter { _ in chance.one(in: 2) })
  }

  /// The classes of a device's planned sync for some classes at the end of a world.
  func someClasses(of device: Int, in world: World) -> Set<String> {
    var chance = Chance(seed: world.seed ^ UInt64(device) ^ 0x534F_4D45)
    return Set(world.classes.map(\.name).filter { _ in chance.one(in: 2) })
  }
}
