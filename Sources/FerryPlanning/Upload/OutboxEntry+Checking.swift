// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// The check before a change is sent over a record of the server.
extension OutboxEntry {
  /// Why the change cannot be sent over the version that the server shows; nil where it can.
  ///
  /// A delete of a record that is not shown finds nothing to do, and is done by that.
  ///
  /// - Parameters:
  ///   - version: The version that the server shows; nil if it shows no such record.
  ///   - row: The row; nil if it is gone.
  ///   - unreadable: A version that could not be imported, over which the change may be sent.
  /// - Returns: The obstacle.
  package func obstacle(
    shown version: ServerVersion?, over row: Record?, unreadable: ServerVersion?
  ) -> Obstacle? {
    guard let version else { return kind == .delete ? nil : .notFound }
    guard kind != .update || !isOutdated && undecidedFields.isEmpty else { return .newerVersion }
    return version == unreadable || knownVersions(of: row).contains(version) ? nil : .newerVersion
  }
}
