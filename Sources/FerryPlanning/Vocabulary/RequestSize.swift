// Ferry: offline-first sync for Parse Server. MIT licence.

/// How much one request asks for, or carries.
///
/// A request that was too large is halved, until one part is left.
package struct RequestSize: Equatable, Sendable {
  package private(set) var current: Int
  private let greatest: Int

  /// - Parameter greatest: The size to begin with, and never to exceed; at least one.
  package init(_ greatest: Int) {
    self.greatest = max(greatest, 1)
    current = self.greatest
  }

  /// Takes half as much from now on; false if that is impossible.
  @discardableResult
  package mutating func halve() -> Bool {
    guard current > 1 else { return false }
    current /= 2
    return true
  }

  /// Takes one more, after a request that was not too large; a size of one stays.
  package mutating func grow() {
    guard current > 1, current < greatest else { return }
    current += 1
  }

  /// A list in two halves; nil if it has only one part.
  package static func halves<Part>(of list: [Part]) -> [[Part]]? {
    guard list.count > 1 else { return nil }
    let middle = list.count / 2
    return [Array(list[..<middle]), Array(list[middle...])]
  }
}
