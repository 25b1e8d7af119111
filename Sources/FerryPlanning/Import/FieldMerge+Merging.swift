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
}
