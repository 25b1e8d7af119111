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
    if remote == base || local == remote { return local }
    switch self {
    case .set: return SetMerge(base: base, local: local, remote: remote)?.merged
    case .lines: return LineMerge(base: base, local: local, remote: remote)?.merged
    }
  }
}
