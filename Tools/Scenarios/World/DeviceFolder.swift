// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// The files of one device: its database and its staging folder.
package struct DeviceFolder: Sendable {
  package let url: URL

  /// Makes the folder where it is missing.
  package init(_ url: URL) throws {
    self.url = url
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  package var database: URL { url.appending(path: "store.sqlite") }
  package var staging: URL { url.appending(path: "staging") }
  private var killed: URL { url.appending(path: "killed") }

  /// Copies the staging folder as a kill leaves it.
  ///
  /// The run of a killed device still ends in this process, and tidies up as no killed process can. A second
  /// call keeps the present state, and no longer that of the first.
  package func keepStaging() throws {
    let files = FileManager.default
    if files.fileExists(atPath: killed.path) { try files.removeItem(at: killed) }
    guard files.fileExists(atPath: staging.path) else { return }
    try files.copyItem(at: staging, to: killed)
  }

  /// Brings the staging folder back to the state that the kill left.
  package func restoreStaging() throws {
    let files = FileManager.default
    if files.fileExists(atPath: staging.path) { try files.removeItem(at: staging) }
    if files.fileExists(atPath: killed.path) { try files.moveItem(at: killed, to: staging) }
  }
}
