// Ferry: offline-first sync for Parse Server. MIT licence.

/// The names of headers whose values are never secret.
///
/// This is a list of what may be shown. A name that is missing here stays masked.
private let harmlessNames: Set<String> = [
  "accept", "accept-encoding", "age", "cache-control", "connection", "content-encoding",
  "content-length", "content-type", "date", "keep-alive", "retry-after", "server",
  "transfer-encoding", "vary", "x-powered-by", "x-ratelimit-limit", "x-ratelimit-remaining",
  "x-ratelimit-reset",
]

/// The text shown instead of a masked value.
private let mask = "•••"

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Shows the name, and the value of a harmless name.
  public var description: String {
    "\(name): \(harmlessNames.contains(name.lowercased()) ? value : mask)"
  }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows no content.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows the fields; values are masked unless their names are harmless.
  public var description: String { fields.map(\.description).joined(separator: ", ") }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows the masked fields only.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields) }
}

extension HTTPHeaders {
  /// The values that must not appear anywhere else; a value of few characters is no secret, and may
  /// be a part of any word.
  package var secrets: [String] {
    fields.filter { field in
      let name = field.name.lowercased()
      return !harmlessNames.contains(name) && name != "x-parse-application-id"
        && field.value.utf8.count >= 8
    }.map(\.value)
  }
}
