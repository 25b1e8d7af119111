// Ferry: offline-first sync for Parse Server. MIT licence.

/// The names whose values say nothing secret.
///
/// A list of what may be shown, never of what may not: a name that nobody thought of stays hidden.
private let harmlessNames: Set<String> = [
  "accept", "accept-encoding", "age", "cache-control", "connection", "content-encoding",
  "content-length", "content-type", "date", "keep-alive", "retry-after", "server",
  "transfer-encoding", "vary", "x-powered-by", "x-ratelimit-limit", "x-ratelimit-remaining",
  "x-ratelimit-reset",
]

/// What stands in the place of a hidden value.
private let mask = "•••"

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Shows the name, and the value if the name is known to be harmless.
  public var description: String {
    "\(name): \(harmlessNames.contains(name.lowercased()) ? value : mask)"
  }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows nothing inside.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows the fields, values masked unless their names are known to be harmless.
  public var description: String { fields.map(\.description).joined(separator: ", ") }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows the masked fields only.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields) }
}
