// Ferry: offline-first sync for Parse Server. MIT licence.

/// A step, and the moment within a sync of the same tick at which it is taken; nil for at once.
struct Act: Sendable {
  var moment: Moment?
  var step: Step
}
