// Ferry: offline-first sync for Parse Server. MIT licence.

/// Media types of files, such as `image/jpeg`.
package enum MediaType {
  /// Whether the text is a type and a subtype, without parameters; the server refuses other texts.
  package static func isWellFormed(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isOfToken) }
  }

  /// The type that a name's ending says; bytes of no known kind for other endings.
  package static func ofFile(named name: String) -> String {
    let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
    return ending.flatMap { types[$0] } ?? "application/octet-stream"
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static let types = [
    "csv": "text/csv", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "json": "application/json", "m4a": "audio/mp4", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png",
    "txt": "text/plain", "wav": "audio/wav", "webp": "image/webp", "zip": "application/zip",
  ]
}
