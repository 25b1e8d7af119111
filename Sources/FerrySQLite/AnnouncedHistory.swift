// Ferry: offline-first sync for Parse Server. MIT licence.

/// The part of a store's history that its listeners know of.
struct AnnouncedHistory {
  /// The newest change that they know of.
  private(set) var last: Int64
  /// How often the file went back to a backup.
  private(set) var restorations = 0

  init(last: Int64) { self.last = last }

  /// Takes note of a backup whose history ends earlier.
  mutating func goBack(to last: Int64) {
    self.last = last
    restorations += 1
  }

  /// Takes note of a change that a view saw; false if it is known, or the view is one of before a backup.
  mutating func announce(_ token: Int64, of view: AnnouncedHistory) -> Bool {
    guard restorations == view.restorations, token > last else { return false }
    last = token
    return true
  }
}
