// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A create whose outcome was not known, and the record that proves it arrived.
package struct ImportMatch: Equatable {
  package var entry: OutboxEntry
  package var record: ServerRecord
}
