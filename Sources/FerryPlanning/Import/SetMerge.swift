// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Merges arrays of which each element counts once: additions and removals of both sides stay.
struct SetMerge {
  private let base: Elements
  private let local: [Value]
  private let remote: [Value]
  /// Whether a side has no array at all, so that an empty result is no array either.
  private let isCleared: Bool

  /// Nil if a side has something else than an array; no value is taken for an empty one.
  init?(base: Value, local: Value, remote: Value) {
    guard let base = base.elements, let localElements = local.elements,
      let remoteElements = remote.elements
    else { return nil }
    self.base = Elements(base)
    self.local = localElements
    self.remote = remoteElements
    isCleared = local.isNull || remote.isNull
  }

  /// The server's elements without those that a local edit removed, and behind them those that it added.
  var merged: Value {
    let (here, there) = (Elements(local), Elements(remote))
    var result = remote.filter { here.contains($0) || !base.contains($0) }
    var added = there
    for element in local where !base.contains(element) && added.insert(element) {
      result.append(element)
    }
    return result.isEmpty && isCleared ? .null : .array(result)
  }
}

/// Values without an order, to find one quickly.
private struct Elements {
  private var buckets: [ValueKey: [Value]] = [:]

  init(_ values: [Value]) {
    for value in values { _ = insert(value) }
  }

  func contains(_ value: Value) -> Bool {
    buckets[ValueKey(value) ?? .none]?.contains(value) ?? false
  }

  /// Adds a value; returns whether it was missing.
  mutating func insert(_ value: Value) -> Bool {
    guard !contains(value) else { return false }
    buckets[ValueKey(value) ?? .none, default: []].append(value)
    return true
  }
}

extension Value {
  /// The elements of an array, and none of a missing value; nil of any other value.
  fileprivate var elements: [Value]? {
    switch self {
    case .null: []
    case .array(let elements): elements
    case .string, .integer, .number, .boolean, .date, .pointer, .bytes, .object, .geoPoint,
      .polygon, .file, .relation:
      nil
    }
  }
}
