// Ferry: offline-first sync for Parse Server. MIT licence.

/// Values that follow a store: the present one at once, then one for each commit that changes it.
///
/// ```swift
/// for try await games in store.observe(Query("Game", orderedBy: .ascending("title"))) {
///   print(games.count)
/// }
/// ```
///
/// It does not matter who commits: this process, a sync, or another process. A commit that changes nothing of the
/// value gives no element. A listener that is slow gets the newest value, not each one in between, and no commit
/// between the first reading and the next is missed.
///
/// Each iteration reads for itself, on a thread of the store's own. It ends without an error when its task is cancelled.
/// It throws `StoreError` if the store cannot be read, and what the app's closure throws; then it is over. An
/// observation keeps its store open.
public struct StoreObservation<Element: Sendable>: AsyncSequence, Sendable {
  private let begin: @Sendable () -> any Follower<Element>

  init(_ begin: @escaping @Sendable () -> any Follower<Element>) { self.begin = begin }

  /// An iteration from now on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: begin()) }

  /// The elements that this observation gives, each made into another with the one before it.
  func following<Other: Sendable>(
    _ next: @escaping @Sendable (_ earlier: Element?, _ later: Element) -> Other
  ) -> StoreObservation<Other> {
    StoreObservation<Other> { [begin] in FollowerOfAnother(inner: begin(), next: next) }
  }

  /// One iteration through the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var follower: (any Follower<Element>)?

    /// The next value; nil once the task is cancelled, or after an error.
    ///
    /// - Throws: `StoreError` if the store cannot be read, and what the app's closure throws.
    public mutating func next() async throws -> Element? {
      guard var follower else { return nil }
      // After an error, and after the end, there is no further element.
      self.follower = nil
      do {
        guard let element = try await follower.next() else { return nil }
        self.follower = follower
        return element
      } catch is CancellationError {
        return nil
      }
    }
  }
}

/// Follows a follower.
private struct FollowerOfAnother<Inner: Sendable, Element: Sendable>: Follower {
  var inner: any Follower<Inner>
  var last: Inner?
  let next: @Sendable (Inner?, Inner) -> Element

  init(inner: any Follower<Inner>, next: @escaping @Sendable (Inner?, Inner) -> Element) {
    self.inner = inner
    self.next = next
  }

  mutating func next() async throws -> Element? {
    guard let newest = try await inner.next() else { return nil }
    defer { last = newest }
    return next(last, newest)
  }
}
