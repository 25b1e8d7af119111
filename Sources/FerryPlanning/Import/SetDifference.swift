// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The elements that one array has beside those of another one.
struct SetDifference {
  let added: [Value]
  let removed: [Value]

  /// Nil where the row has no array: a field is cleared as a whole.
  init?(from base: Value, to local: Value) {
    guard case .array(let local) = local, let base = base.elements else { return nil }
    var present = CountedValues(base)
    var added: [Value] = []
    for element in local where !present.contains(element) {
      present.insert(element)
      added.append(element)
    }
    self.added = added
    let kept = CountedValues(local)
    removed = base.filter { !kept.contains($0) }
  }
}
