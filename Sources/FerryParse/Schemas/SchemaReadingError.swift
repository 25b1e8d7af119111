// Ferry: offline-first sync for Parse Server. MIT licence.

/// What is wrong with a schema in JSON, and where.
package struct SchemaReadingError: Error, Hashable, Sendable {
  /// The keys that lead to the fault, from the outermost object on.
  package var path: [String]
  /// The fault as a clause that follows the path, without its full stop.
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
