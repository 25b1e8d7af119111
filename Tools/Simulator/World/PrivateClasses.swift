// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Lets the devices' schema, rather than the server's rules, give records of some classes to their creators.
///
/// The world decides about an app's classes, too: in one without users, rows of a class that needs a creator would wait
/// for ever.
///
/// The chance is one of its own, so that the rest of the world is the same with and without such classes.
enum PrivateClasses {
  /// Gives half of the private classes such a schema.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5052_4956)
    for place in world.classes.indices {
      world.classes[place].isPrivateBySchema = world.classes[place].isPrivate && chance.one(in: 2)
    }
  }
}
