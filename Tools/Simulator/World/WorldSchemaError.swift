// Ferry: offline-first sync for Parse Server. MIT licence.

/// Says why no world can be made of a schema, and what to do.
public struct WorldSchemaError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The schema breaks a rule of Ferry: no store would open with it.
    public static let invalidSchema = Code(rawValue: "invalid-schema")
    /// A class has no text field that can name its rows.
    public static let noTitle = Code(rawValue: "no-title")
    /// The field that the author named cannot name the rows of its class.
    public static let title = Code(rawValue: "title")
    /// The class belongs to the server, which gives its records rules of their own.
    public static let systemClass = Code(rawValue: "system-class")
    /// The class has its own wire format, which the rules cannot read.
    public static let wireFormat = Code(rawValue: "wire-format")
    /// The filter depends on more than the values that a world writes.
    public static let filter = Code(rawValue: "filter")
    /// The server does not take the class.
    public static let refusedByServer = Code(rawValue: "refused-by-server")
  }

  /// The reason.
  public var code: Code
  /// The class; nil for the whole schema.
  public var className: String?
  /// The thing in the way, and what to do.
  public var message: String

  /// The message.
  public var description: String { message }

  init(_ code: Code, _ className: String?, _ message: String) {
    self.code = code
    self.className = className
    self.message = message
  }
}
