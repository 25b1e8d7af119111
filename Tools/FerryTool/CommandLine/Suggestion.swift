// Ferry: offline-first sync for Parse Server. MIT licence.

/// Finds the known word that a mistyped one may mean.
enum Suggestion {
  /// The known word nearest to what was typed; nil when none is near.
  static func nearest(to word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    let completed = known.filter { word.count >= 2 && $0.lowercased().hasPrefix(word) }
    if completed.count == 1 { return completed.first }
    let limit = max(1, word.count / 3)
    return known.map { ($0, distance(word, $0.lowercased())) }.filter { $0.1 <= limit }.min {
      $0.1 < $1.1
    }?.0
  }

  /// How many characters were added, left out, changed or swapped with their neighbour.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var before: [Int] = []
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var next = [i + 1]
      for (j, other) in right.enumerated() {
        var cost = min(row[j + 1] + 1, next[j] + 1, row[j] + (character == other ? 0 : 1))
        if i > 0, j > 0, character == right[j - 1], left[i - 1] == other {
          cost = min(cost, before[j - 1] + 1)
        }
        next.append(cost)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
