// Ferry: offline-first sync for Parse Server. MIT licence.

/// The state of one iteration through the values of a store.
protocol Follower<Element> {
  associatedtype Element

  /// The next value; nil at the end.
  mutating func next() async throws -> Element?
}
