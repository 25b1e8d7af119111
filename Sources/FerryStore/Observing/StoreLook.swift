// Ferry: offline-first sync for Parse Server. MIT licence.

/// The part of an observation that remembers what it has seen, and finds what comes next.
package protocol StoreLook: Sendable {
  associatedtype Element: Sendable

  /// The value in a view; nil if it is the one that was seen last, which the first one never is.
  mutating func next(in reader: any SyncReader) throws -> Element?
}
