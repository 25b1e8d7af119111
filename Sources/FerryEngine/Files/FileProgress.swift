// Ferry: offline-first sync for Parse Server. MIT licence.

/// How much of a file has come.
public struct FileProgress: Sendable, Hashable {
  /// The bytes that are on this device, those of an earlier try included.
  public var done: Int
  /// The size of the file in bytes; nil if the server has not said it.
  public var total: Int?
}
