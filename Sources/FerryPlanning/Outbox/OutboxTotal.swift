// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// How many entries of a kind a class has in the outbox, and the last row among them.
package struct OutboxTotal: Sendable, Equatable {
  package var count: Int
  package var last: LocalID

  package init(count: Int, last: LocalID) {
    self.count = count
    self.last = last
  }
}
