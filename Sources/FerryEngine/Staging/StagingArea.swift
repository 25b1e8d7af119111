// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// The folder of the server's answers, kept until they are imported.
package final class StagingArea: Sendable {
  let folder: URL

  package init(folder: URL) throws {
    self.folder = folder
  }
}
