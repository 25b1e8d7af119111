// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who edits rows.
public enum Writer: Hashable, Sendable {
  /// The app on the device of this number.
  case app(Int)
  /// Another client, with every right.
  case client

  /// The column of a story.
  var text: String {
    switch self {
    case .app(let number): Self.letter(of: number)
    case .client: "client"
    }
  }

  /// The name of a device.
  static func letter(of device: Int) -> String {
    String(UnicodeScalar(UInt8(ascii: "A") + UInt8(device)))
  }
}
