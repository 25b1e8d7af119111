// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Randomness

/// Lets the devices of some worlds sync by themselves, as the engine's timetable decides.
///
/// An event that would be a sync then lets its happenings wait for the next sync that the device begins. The chance is one
/// of its own, so that the rest of the world is the same with and without it.
enum SelfRunning {
  /// Gives one world in six such devices.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x4C4F_4F50)
    guard chance.one(in: 6), !world.settings.hasTwoPrograms else { return }
    var schedule = SyncSchedule()
    schedule.interval = .seconds(chance.pick([60, 300, 900]))
    schedule.editDelay = .milliseconds(chance.pick([0, 1000, 5000]))
    schedule.longestEditDelay = .seconds(chance.pick([5, 10]))
    schedule.longestPause = .seconds(chance.pick([60, 900]))
    world.settings.schedule = schedule
  }
}
