// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A create in doubt, and the record that proves that it arrived.
package struct ImportMatch: Equatable {
  package var entry: OutboxEntry
  package var record: ServerRecord
}
