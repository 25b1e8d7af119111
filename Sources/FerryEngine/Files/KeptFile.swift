// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import Foundation

/// A file of the server whose content is on this device.
public struct KeptFile: Sendable, Hashable {
  /// The name that the server gave the file.
  public var name: String
  /// Where its content is.
  ///
  /// Read it, and do not change it: other files may share it.
  public var url: URL
  /// The size of the content in bytes.
  public var bytes: Int
  /// The SHA-256 of the content, in 64 hexadecimal digits.
  public var sha256: String
  /// When the app last asked for it.
  public var lastUse: Timestamp
}
