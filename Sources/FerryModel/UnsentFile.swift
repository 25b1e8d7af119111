// Ferry: offline-first sync for Parse Server. MIT licence.

/// A content that the app gave to a file field, and that no server has yet.
///
/// The field's value is a `File` of a reserved form: its name is
/// `unsent:<SHA-256>:<bytes>:<type>:<name>`, and it has no address. A sync sends the content, and puts the server's name
/// into the field. No server gives such a name, because it has colons, and no request carries one.
///
/// ```swift
/// let photo = try await store.read { try $0.records(Query("Photo")).first }
/// if case .file(let image)? = photo?["image"], let unsent = image.unsent {
///   print(unsent.name, unsent.bytes, "bytes wait for the next sync")
/// }
/// ```
public struct UnsentFile: Sendable, Hashable {
  /// The SHA-256 of the content, in 64 hexadecimal digits.
  public let sha256: String
  /// The size of the content in bytes.
  public let bytes: Int
  /// The media type, such as `image/jpeg`.
  public let type: String
  /// The name to which the server adds digits, such as `beach.jpg`.
  public let name: String

  /// Nil if a part is not as the form demands: the server would refuse it, or another device would misread it.
  package init?(sha256: String, bytes: Int, type: String, name: String) {
    guard sha256.utf8.count == 64,
      sha256.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
      bytes > 0, MediaType.isWellFormed(type), FileName.isSendable(name)
    else { return nil }
    (self.sha256, self.bytes, self.type, self.name) = (sha256, bytes, type, name)
  }
}

extension File {
  private static let mark = "unsent:"

  /// The value of a field whose content waits for a sync.
  public init(_ unsent: UnsentFile) {
    self.init(
      name: "\(Self.mark)\(unsent.sha256):\(unsent.bytes):\(unsent.type):\(unsent.name)")
  }

  /// Whether the name is of the form for a content that no server has yet, or looks like it.
  package var isUnsent: Bool { name.hasPrefix(Self.mark) }

  /// The content that the app gave to the field; nil for a file of the server.
  public var unsent: UnsentFile? {
    guard isUnsent else { return nil }
    let parts = name.dropFirst(Self.mark.count)
      .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let bytes = Int(parts[1]) else { return nil }
    return UnsentFile(sha256: parts[0], bytes: bytes, type: parts[2], name: parts[3])
  }
}
