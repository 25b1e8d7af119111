// Ferry: offline-first sync for Parse Server. MIT licence.

/// An error in a JSON schema, and its position.
package struct SchemaReadingError: Error, Hashable, Sendable {
  /// The keys that lead to the error, from the outermost object on.
  package var path: [String]
  /// The error as a clause that follows the path, without its full stop.
  package var fault: String

  package init(_ path: [String], _ fault: String) {
    self.path = path
    self.fault = fault
  }
}

extension SchemaReadingError: CustomStringConvertible {
  package var description: String {
    "\(path.isEmpty ? "The schema" : path.joined(separator: ".")) \(fault)."
  }
}
