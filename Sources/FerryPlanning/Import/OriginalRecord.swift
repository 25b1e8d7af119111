// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The original record of a create, and the local row of a duplicate from the same create.
package struct OriginalRecord: Equatable {
  package var record: ServerRecord
  package var younger: Record
}
