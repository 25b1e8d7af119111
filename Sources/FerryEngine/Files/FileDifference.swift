// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A file field whose file the server or this device does not have as it should.
///
/// `SyncCoordinator.compareFiles(of:onDifference:)` finds them.
public struct FileDifference: Sendable, Hashable {
  /// The kind of difference.
  public enum Kind: String, Sendable, CaseIterable {
    /// The server does not have the file.
    case missingThere = "file-missing"
    /// The content on this device has another size than the file on the server.
    case otherSize = "file-size"
    /// The content of a new file is not on this device, so no sync can send it.
    case contentMissing = "content-missing"
    /// The server did not say whether it has the file.
    case undecided = "file-undecided"
  }

  /// The kind of difference.
  public var kind: Kind
  /// The row; its object id is one of this device as long as the server does not have the record.
  public var row: RecordReference
  /// The field.
  public var field: String
  /// The value of the field.
  public var file: File
  /// The size on the server in bytes; nil if it is not known.
  public var bytesThere: Int?
  /// The size of the content on this device in bytes; nil if it is not here.
  public var bytesHere: Int?
}
