// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Merges arrays of which each element counts once: additions and removals of both sides stay.
struct SetMerge {
  private let base: CountedValues
  private let local: [Value]
  private let remote: [Value]
  /// Whether a side has no array at all, so that an empty result is no array either.
  private let isCleared: Bool

  /// Nil if a side has something else than an array; no value is taken for an empty one.
  init?(base: Value, local: Value, remote: Value) {
    guard let base = base.elements, let localCountedValues = local.elements,
      let remoteCountedValues = remote.elements
    else { return nil }
    self.base = CountedValues(base)
    self.local = localCountedValues
    self.remote = remoteCountedValues
    isCleared = local.isNull || remote.isNull
  }

  /// The server's elements without those that a local edit removed, and behind them those that it added.
  var merged: Value {
    let (here, there) = (CountedValues(local), CountedValues(remote))
    var result = remote.filter { here.contains($0) || !base.contains($0) }
    var added = there
    for element in local where !base.contains(element) && !added.contains(element) {
      added.insert(element)
      result.append(element)
    }
    return result.isEmpty && isCleared ? .null : .array(result)
  }
}
