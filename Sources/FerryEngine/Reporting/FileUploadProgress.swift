// Ferry: offline-first sync for Parse Server. MIT licence.

/// How much of a new file has left this device.
public struct FileUploadProgress: Sendable, Hashable {
  /// The name that the app gave it, as it is sent.
  public var name: String
  /// The bytes that have left.
  public var done: Int
  /// The size of the file in bytes.
  public var total: Int
}
