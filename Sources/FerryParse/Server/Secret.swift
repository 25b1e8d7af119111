// Ferry: offline-first sync for Parse Server. MIT licence.

/// A key, password or token that never shows itself.
///
/// Descriptions, reflection and string interpolation show a mask, so that no log or error contains
/// the secret by accident.
///
/// ```swift
/// print(Secret("r:0123456789"))  // •••
/// ```
public struct Secret: Sendable, Equatable {
  /// The text itself, for a header or a body.
  package let text: String

  /// Wraps a text as it is; a password may begin or end with white space.
  public init(_ text: some StringProtocol) { self.text = String(text) }

  /// The text for a header, without the white space at its ends, which may come from a file.
  var headerText: String {
    let start = text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows a mask.
  public var description: String { "•••" }

  /// Shows a mask.
  public var debugDescription: String { "•••" }

  /// Shows no content.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
