// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A record that a create made, and the row here that stands for a younger one of the same create.
package struct OriginalRecord: Equatable {
  package var record: ServerRecord
  package var younger: Record
}
