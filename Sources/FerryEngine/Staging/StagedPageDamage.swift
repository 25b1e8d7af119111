// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// A staged page has changed since it was written; its listing must be downloaded again.
package struct StagedPageDamage: Error, CustomStringConvertible {
  /// The page's file.
  package var file: URL

  /// What happened, what became of the data, and what to do next.
  package var description: String {
    "The staged page \(file.path(percentEncoded: false)) is not what was downloaded. Nothing of it was "
      + "imported. The class is downloaded again by the next sync; check the disk if this comes back."
  }
}
