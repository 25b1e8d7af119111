// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension FieldMerge {
  /// One value that has the changes of both sides; nil where they collide.
  ///
  /// A pure function of three values. A side that changed nothing has no part in the result.
  ///
  /// - Parameters:
  ///   - base: The value that both sides had before.
  ///   - local: The row's value.
  ///   - remote: The server's value.
  /// - Returns: The merged value; nil where the class's conflict policy has to choose.
  package func merge(base: Value, local: Value, remote: Value) -> Value? {
    if local == base { return remote }
    if remote == base { return local }
    switch self {
    case .increment:
      // Two equal edits are two additions.
      guard !local.isNull else { return remote.isNull ? .null : nil }
      return Increment.sum(local, remote, minus: base)
    case .set where local != remote:
      return SetMerge(base: base, local: local, remote: remote)?.merged
    case .lines where local != remote:
      return LineMerge(base: base, local: local, remote: remote)?.merged
    case .set, .lines: return local
    }
  }

  /// The value from which another client's edits most likely led to the server's.
  ///
  /// A request without an answer may have been carried out. The server's value then came from what was sent, and a merge
  /// with the older base would bring the same edit twice. If the server's value shows the whole edit, it came from there.
  /// Otherwise it came from the value with the fewest differences.
  ///
  /// - Parameters:
  ///   - remote: The server's value.
  ///   - base: The value that both sides had before.
  ///   - sent: The values that requests without an answer sent, oldest first.
  ///   - isCreated: Whether the first of the requests made the record, so that the server never had the base.
  /// - Returns: The base, or one of the sent values.
  package func origin(
    of remote: Value, base: Value, sent: [Value], isCreated: Bool
  ) -> Value {
    guard self != .increment, !sent.isEmpty else { return base }
    let (served, before) = (parts(remote), parts(base))
    if let shown = sent.last(where: { Self.shows(served, editFrom: before, to: parts($0)) }) {
      return shown
    }
    let candidates = isCreated ? sent : [base] + sent
    let distances = candidates.map { parts($0).distance(to: served) }
    let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
    return candidates[nearest]
  }

  /// Whether a value has all that an edit added, and lacks all that it removed.
  private static func shows(
    _ value: CountedValues, editFrom base: CountedValues, to edited: CountedValues
  ) -> Bool {
    base.changes(to: edited).allSatisfy { part, change in
      change > 0
        ? value.count(of: part) >= base.count(of: part) + change
        : value.count(of: part) <= edited.count(of: part)
    }
  }

  /// The elements of a set, or the lines of a text.
  private func parts(_ value: Value) -> CountedValues {
    switch value {
    case .array(let elements) where self == .set: CountedValues(elements)
    case .string(let text) where self == .lines:
      CountedValues(LineMerge.lines(of: text).map { .bytes(Array($0)) })
    default: CountedValues([])
    }
  }
}
