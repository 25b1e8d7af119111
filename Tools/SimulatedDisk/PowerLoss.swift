// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of the changes that no sync has forced to the disk when the power goes.
public enum PowerLoss: Sendable, Hashable {
  /// All of them are on the disk, in their order.
  case keepsAll
  /// None of them is on the disk.
  case losesAll
  /// Each is kept, lost or torn by itself, as a seed decides.
  case mixes(seed: UInt64)
}
