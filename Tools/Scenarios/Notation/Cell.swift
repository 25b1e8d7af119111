// Ferry: offline-first sync for Parse Server. MIT licence.

/// The steps of one actor in a tick.
struct Cell: Sendable {
  var actor: Actor
  var place: Place
  var acts: [Act]
}
