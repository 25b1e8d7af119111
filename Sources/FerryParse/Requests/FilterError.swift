// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A condition that servers evaluate differently; validating the schema finds it earlier.
package struct FilterError: Error, Equatable, CustomStringConvertible {
  package var condition: Condition

  package var description: String {
    "A filter has a condition that not all servers decide alike, so nothing was asked. Validate "
      + "the schema."
  }
}
