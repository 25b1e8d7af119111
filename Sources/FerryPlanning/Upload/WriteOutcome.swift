// Ferry: offline-first sync for Parse Server. MIT licence.

/// The outcome of one write, as far as its answer shows.
package typealias WriteOutcome = Result<Acknowledgement, WriteFailure>
