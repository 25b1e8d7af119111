// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The record that a blocked entry waits for.
package struct Waiting: Sendable, Equatable {
  package var className: String
  package var localID: LocalID
  package var field: String

  package init(className: String, localID: LocalID, field: String) {
    self.className = className
    self.localID = localID
    self.field = field
  }
}
