// Ferry: offline-first sync for Parse Server. MIT licence.

/// A line of a story's table: what happens at one time.
struct Tick: Sendable {
  var line: Int
  var cells: [Cell] = []
  /// Time that passes, when the line says nothing else.
  var pause: Duration = .zero
}
