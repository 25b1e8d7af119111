// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// A list that an app keeps open.
extension StoryDevice {
  /// Opens a list instead of the one before.
  func watch(_ query: Query) throws {
    let opened = StoryList(query, of: store)
    try opened.settle()
    show(opened)
  }

  /// Takes nothing of the list until the next look.
  func lookAway() throws { try openList().lookAway() }

  private func openList() throws -> StoryList {
    guard let list else { throw StoryFault("\(name) has no open list; say \"watch CLASS\"") }
    return list
  }

  /// Compares what the list has shown since the last look; nil says that it has not changed.
  func see(_ names: [String]?) throws {
    let list = try openList()
    let shown = try list.news().map { rows in rows.map { self.name(of: $0.reference) } }
    // Without an order of its own, a list has the rows in the order in which they came.
    let (seen, expected) =
      list.query.order.isEmpty ? (shown?.sorted(), names?.sorted()) : (shown, names)
    guard seen != expected else { return }
    let rows = seen.map {
      $0.isEmpty ? "shows no rows now" : "shows \($0.joined(separator: ", ")) now"
    }
    throw StoryFault("the list of \(name) \(rows ?? "has not changed")")
  }
}
