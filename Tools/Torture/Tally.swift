// Ferry: offline-first sync for Parse Server. MIT licence.

/// The numbers of what was played, and each failure.
struct Tally {
  var rounds = 0
  private var names: [String] = []
  private var counts: [String: Int] = [:]
  private(set) var failures: [String] = []

  mutating func count(_ name: String, by number: Int = 1) {
    if counts[name] == nil { names.append(name) }
    counts[name, default: 0] += number
  }

  mutating func fall(_ failure: String) { failures.append(failure) }

  /// The counts, those that came first at the beginning.
  var text: String {
    names.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ")
  }
}
