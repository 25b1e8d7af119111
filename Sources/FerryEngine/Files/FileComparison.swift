// Ferry: offline-first sync for Parse Server. MIT licence.

/// The result of a comparison of files.
public struct FileComparison: Sendable, Hashable {
  /// How many files were compared; a file that several fields name counts once.
  public var files = 0
  /// How many of them have their content on this device.
  public var here = 0
  /// How many requests it took.
  public var requests = 0
}
