// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A record that some device created anew for one that was gone, and the row of the one that is gone.
package struct ImportSuccession: Equatable {
  package var record: ServerRecord
  package var row: Record
}
