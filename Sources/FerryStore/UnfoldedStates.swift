// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The states of the rows of a class whose edits nobody has folded yet.
package struct UnfoldedStates {
  /// The rows whose stored entries folding would change or remove.
  package var replaced: Set<LocalID> = []
  /// The states of those of them that folding would leave unsent.
  package var states: [LocalID: UnsentState] = [:]
}
