// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Lets the devices' schema, rather than the server's rules, give records of some classes to their creators.
///
/// The chance is one of its own, so that the rest of the world is the same with and without such classes.
enum PrivateClasses {
  /// Gives half of the private classes such a schema.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5052_4956)
    for place in world.classes.indices where world.classes[place].isPrivate {
      world.classes[place].isPrivateBySchema = chance.one(in: 2)
    }
  }
}
